// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/freivalds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace aisp {
namespace {

/// One product with its inputs, an honest fp32 answer and the full reference beside the projection.
class Product {
 public:
  Product(std::int64_t m, std::int64_t n, std::int64_t k, const Distribution& distribution,
          std::uint64_t seed = 1)
      : m_(m), n_(n), k_(k), a_(size(m * k)), b_(size(k * n)), c_(size(m * n)) {
    problem_.tensors = {
        input<float>("a", {m, k}, {distribution}), input<float>("b", {k, n}, {distribution}),
        output<float>("c", {m, n}, reduction(DType::f32, DType::f32, static_cast<double>(k)))};
    Rng draw(seed);
    inputs_ = {view(a_, problem_.tensors[0].shape), view(b_, problem_.tensors[1].shape)};
    for (const TensorView& tensor : inputs_) distribution.draw({params_, {}, 0}, draw, tensor);
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t p = 0; p < k; ++p) sum += a_[size(i * k + p)] * b_[size(p * n + j)];
        c_[size(i * n + j)] = sum;
      }
    }
    Rng secret(seed + 1000);
    const CheckSetup setup{params_, problem_, inputs_, {}, secret};
    projection_ = make_freivalds_checker({.m = m, .n = n, .k = k}, setup);
    full_ = make_reference_checker([this](const ReferenceCall& call) { reference(call); }, setup);
  }

  CheckOutcome project() { return projection_->check(std::vector{view(c_, problem_.tensors[2].shape)}); }
  CheckOutcome compare() { return full_->check(std::vector{view(c_, problem_.tensors[2].shape)}); }
  double allowed(std::int64_t i) const {
    double want = 0, limit = 0;
    EXPECT_TRUE(projection_->element(0, i, want, limit));
    return limit;
  }
  const AnswerChecker& projection() const { return *projection_; }
  const AnswerChecker& full() const { return *full_; }
  std::vector<float>& c() { return c_; }
  const std::vector<float>& a() const { return a_; }

 private:
  static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
  static TensorView view(std::vector<float>& data, const Extents& shape) {
    return {reinterpret_cast<std::byte*>(data.data()), DType::f32, shape,
            static_cast<std::int64_t>(data.size())};
  }
  void reference(const ReferenceCall& call) const {
    call.outputs[0].scale.resize(c_.size());
    for (std::int64_t i = 0; i < m_; ++i) {
      for (std::int64_t j = 0; j < n_; ++j) {
        double sum = 0, scale = 0;
        for (std::int64_t p = 0; p < k_; ++p) {
          const double term = static_cast<double>(a_[size(i * k_ + p)]) * b_[size(p * n_ + j)];
          sum += term;
          scale += std::fabs(term);
        }
        call.outputs[0].value[size(i * n_ + j)] = sum;
        call.outputs[0].scale[size(i * n_ + j)] = scale;
      }
    }
  }

  std::int64_t m_, n_, k_;
  std::vector<float> a_, b_, c_;
  Params params_;
  Problem problem_;
  std::vector<TensorView> inputs_;
  std::unique_ptr<AnswerChecker> projection_, full_;
};

const std::vector<Distribution>& families() {
  static const std::vector<Distribution> all{uniform(-1, 1), wide_range(-6, 6), cancelling(1),
                                             uniform(0, 1),  normal(0, 3),      ties(-1, 1, 3)};
  return all;
}

TEST(Freivalds, AcceptsHonestSinglePrecisionAnswersOfAnyShape) {
  for (const Distribution& family : families()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Product square(96, 96, 96, family, seed);
      EXPECT_EQ(square.project().wrong, 0u) << family.name << ": " << square.project().first;
      EXPECT_EQ(square.compare().wrong, 0u) << family.name;
      Product deep(5, 3, 1500, family, seed);
      EXPECT_EQ(deep.project().wrong, 0u) << family.name << ": " << deep.project().first;
      Product flat(33, 70, 1, family, seed);
      EXPECT_EQ(flat.project().wrong, 0u) << family.name << ": " << flat.project().first;
    }
  }
}

TEST(Freivalds, LeavesRoomButNotMuch) {
  // The honest answer uses some of the allowance, or the allowance would mean nothing.
  Product product(128, 128, 512, uniform(-1, 1));
  EXPECT_GT(product.project().worst, 0.01);
  EXPECT_LT(product.project().worst, 0.5);
}

TEST(Freivalds, RejectsWhatTheFullReferenceRejects) {
  const std::int64_t n = 96;
  const std::vector<std::pair<const char*, std::function<void(Product&)>>> mutants{
      {"zeros", [](Product& p) { std::fill(p.c().begin(), p.c().end(), 0.0f); }},
      {"constant", [](Product& p) { std::fill(p.c().begin(), p.c().end(), 1.0f); }},
      {"copied input", [](Product& p) { p.c() = p.a(); }},
      {"sign flip",
       [](Product& p) {
         for (float& x : p.c()) x = -x;
       }},
      {"one NaN", [](Product& p) { p.c()[777] = std::numeric_limits<float>::quiet_NaN(); }},
      {"one Inf", [](Product& p) { p.c()[777] = std::numeric_limits<float>::infinity(); }},
      {"one element", [](Product& p) { p.c()[4000] += 2.1f * static_cast<float>(p.allowed(4000)); }},
      {"last element missing", [](Product& p) { p.c().back() = 0; }},
      {"transposed",
       [](Product& p) {
         for (std::int64_t i = 0; i < n; ++i) {
           for (std::int64_t j = 0; j < i; ++j)
             std::swap(p.c()[std::size_t(i * n + j)], p.c()[std::size_t(j * n + i)]);
         }
       }},
      {"rows shifted by one", [](Product& p) { std::rotate(p.c().begin(), p.c().begin() + n, p.c().end()); }},
      {"columns shifted by one",
       [](Product& p) { std::rotate(p.c().begin(), p.c().begin() + 1, p.c().end()); }},
      {"a wrong tile",
       [](Product& p) {
         for (std::int64_t i = 16; i < 32; ++i) {
           for (std::int64_t j = 32; j < 48; ++j)
             p.c()[std::size_t(i * n + j)] = p.c()[std::size_t((i + 1) * n + j)];
         }
       }},
      {"bf16 answer",
       [](Product& p) {
         for (float& x : p.c()) x = to_float(to_bfloat16(x));
       }},
      {"fp16 answer",
       [](Product& p) {
         for (float& x : p.c()) x = to_float(to_half(x));
       }},
  };
  for (const Distribution& family : {uniform(-1, 1), wide_range(-6, 6), normal(0, 3)}) {
    for (const auto& [name, mutate] : mutants) {
      Product product(n, n, n, family);
      mutate(product);
      EXPECT_GT(product.compare().wrong, 0u) << "the full reference missed: " << name << ", " << family.name;
      EXPECT_GT(product.project().wrong, 0u) << "the projection missed: " << name << ", " << family.name;
      EXPECT_FALSE(product.project().first.empty()) << name;
    }
  }
}

TEST(Freivalds, KnowsSingleElementsLikeTheReference) {
  Product product(40, 50, 60, uniform(-1, 1));
  for (std::int64_t i = 0; i < 2000; i += 37) {
    double want = 0, allowed = 0, full_want = 0, full_allowed = 0;
    ASSERT_TRUE(product.projection().element(0, i, want, allowed));
    ASSERT_TRUE(product.full().element(0, i, full_want, full_allowed));
    EXPECT_NEAR(want, full_want, 1e-12);
    EXPECT_GT(allowed, 0);
    EXPECT_LT(allowed, 3 * full_allowed) << "an element would have to be far more wrong to be seen";
  }
  double want = 0, allowed = 0;
  EXPECT_FALSE(product.projection().element(1, 0, want, allowed));
}

TEST(Freivalds, ChecksEveryProblemOfABatch) {
  const std::int64_t batch = 3, m = 7, n = 5, k = 11;
  std::vector<float> a(std::size_t(batch * m * k)), b(std::size_t(batch * k * n)),
      c(std::size_t(batch * m * n));
  Problem problem;
  problem.tensors = {input<float>("a", {batch, m, k}, {uniform(-1, 1)}),
                     input<float>("b", {batch, k, n}, {uniform(-1, 1)}),
                     output<float>("c", {batch, m, n}, reduction(DType::f32, DType::f32, double(k)))};
  const auto view = [](std::vector<float>& data, const TensorSpec& spec) {
    return TensorView{reinterpret_cast<std::byte*>(data.data()), DType::f32, spec.shape,
                      std::int64_t(data.size())};
  };
  const std::vector inputs{view(a, problem.tensors[0]), view(b, problem.tensors[1])};
  Params params;
  Rng rng(5);
  for (const TensorView& tensor : inputs) uniform(-1, 1).draw({params, {}, 0}, rng, tensor);
  for (std::int64_t q = 0; q < batch; ++q) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t p = 0; p < k; ++p) {
          c[std::size_t((q * m + i) * n + j)] +=
              a[std::size_t((q * m + i) * k + p)] * b[std::size_t((q * k + p) * n + j)];
        }
      }
    }
  }
  const auto checker =
      make_freivalds_checker({.m = m, .n = n, .k = k, .batch = batch}, {params, problem, inputs, {}, rng});
  const std::vector outputs{view(c, problem.tensors[2])};
  EXPECT_EQ(checker->check(outputs).wrong, 0u) << checker->check(outputs).first;
  for (const std::size_t at : {std::size_t{0}, c.size() / 2, c.size() - 1}) {
    const float kept = c[at];
    c[at] += 0.01f;
    EXPECT_GT(checker->check(outputs).wrong, 0u);
    c[at] = kept;
  }
}

}  // namespace
}  // namespace aisp
