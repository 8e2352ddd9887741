// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/freivalds.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "aisp/core/simd_level.h"

namespace aisp {
namespace {

constexpr int kVectors = 32;
constexpr int kGroup = 16;  // vectors per pass: two rows of them fill eight AVX2 registers

/// out[r][v] = sum over c of matrix[r][c] * x[c][v], for `kRows` rows and one group of vectors.
template <int kRows, class T>
[[gnu::always_inline]] inline void project_rows(const T* matrix, std::int64_t columns, const double* x,
                                                double* out) {
  double sum[kRows][kGroup] = {};
  for (std::int64_t c = 0; c < columns; ++c) {
    for (int r = 0; r < kRows; ++r) {
      const double value = matrix[r * columns + c];
      for (int v = 0; v < kGroup; ++v) sum[r][v] += value * x[c * kVectors + v];
    }
  }
  for (int r = 0; r < kRows; ++r) std::copy_n(sum[r], kGroup, out + r * kVectors);
}

template <class T>
[[gnu::always_inline]] inline void project_all(const T* matrix, std::int64_t rows, std::int64_t columns,
                                               const double* x, double* out) {
  for (int group = 0; group < kVectors; group += kGroup) {
    std::int64_t r = 0;
    for (; r + 2 <= rows; r += 2) {
      project_rows<2>(matrix + r * columns, columns, x + group, out + r * kVectors + group);
    }
    for (; r < rows; ++r)
      project_rows<1>(matrix + r * columns, columns, x + group, out + r * kVectors + group);
  }
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("avx2,fma")]] void project_avx2(const T* matrix, std::int64_t rows, std::int64_t columns,
                                              const double* x, double* out) {
  project_all(matrix, rows, columns, x, out);
}
#endif

template <class T>
void project(const T* matrix, std::int64_t rows, std::int64_t columns, const double* x, double* out) {
#if defined(__x86_64__)
  if (simd_level() >= SimdLevel::avx2) return project_avx2(matrix, rows, columns, x, out);
#endif
  project_all(matrix, rows, columns, x, out);
}

/// Calls body with the tensor's elements as float or double; other types are widened to double first.
template <class Body>
void with_elements(const TensorView& tensor, const Body& body) {
  if (tensor.dtype == DType::f32) return body(reinterpret_cast<const float*>(tensor.data));
  std::vector<double> wide(static_cast<std::size_t>(tensor.size));
  for (std::int64_t i = 0; i < tensor.size; ++i) wide[static_cast<std::size_t>(i)] = tensor.value(i);
  body(static_cast<const double*>(wide.data()));
}

class FreivaldsChecker : public AnswerChecker {
 public:
  FreivaldsChecker(const ProductShape& shape, const CheckSetup& setup)
      : shape_(shape),
        a_(setup.inputs[shape.a]),
        b_(setup.inputs[shape.b]),
        signs_(static_cast<std::size_t>(shape.n) * kVectors),
        want_(static_cast<std::size_t>(shape.batch * shape.m) * kVectors),
        allowed_(static_cast<std::size_t>(shape.batch * shape.m)) {
    const TensorSpec* output = nullptr;
    std::size_t outputs = 0;
    for (const TensorSpec& spec : setup.problem.tensors) {
      if (spec.role == Role::output && outputs++ == shape.c) output = &spec;
    }
    AISP_CHECK(output != nullptr, "a Freivalds checker names an output that is not declared");
    AISP_CHECK(a_.size == shape.batch * shape.m * shape.k && b_.size == shape.batch * shape.k * shape.n &&
                   output->size() == shape.batch * shape.m * shape.n,
               "a Freivalds checker's shape is not that of its tensors");
    name_ = output->name;
    stored_roundoff_ = unit_roundoff(output->dtype);
    for (std::size_t i = 0; i < signs_.size(); i += 64) {
      std::uint64_t bits = setup.rng.word();
      for (std::size_t j = i; j < std::min(i + 64, signs_.size()); ++j, bits >>= 1)
        signs_[j] = (bits & 1) != 0 ? 1 : -1;
    }
    with_elements(a_,
                  [&](const auto* a) { with_elements(b_, [&](const auto* b) { project_inputs(a, b); }); });
  }

  CheckOutcome check(std::span<const TensorView> outputs) const override {
    CheckOutcome outcome;
    std::vector<double> got(want_.size());
    with_elements(outputs[shape_.c], [&](const auto* c) {
      project(c, shape_.batch * shape_.m, shape_.n, signs_.data(), got.data());
    });
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double allowed = allowed_[i / kVectors];
      const double error = std::fabs(got[i] - want_[i]);
      const double multiple = error <= allowed                      ? (allowed > 0 ? error / allowed : 0)
                              : allowed > 0 && std::isfinite(error) ? error / allowed
                                                                    : std::numeric_limits<double>::infinity();
      outcome.worst = std::max(outcome.worst, multiple);
      if (!(error <= allowed) && outcome.wrong++ == 0) outcome.first = describe(i, got[i], allowed);
    }
    return outcome;
  }

  double miss_probability() const override { return std::ldexp(1.0, -kVectors); }

  bool element(std::size_t tensor, std::int64_t i, double& want, double& allowed) const override {
    if (tensor != shape_.c) return false;
    const std::int64_t row = i / shape_.n;
    const std::int64_t column = i % shape_.n;
    const std::int64_t batch = row / shape_.m;
    want = 0;
    for (std::int64_t p = 0; p < shape_.k; ++p) {
      want += a_.value(row * shape_.k + p) * b_.value((batch * shape_.k + p) * shape_.n + column);
    }
    allowed = allowed_[static_cast<std::size_t>(row)];
    return true;
  }

 private:
  template <class TA, class TB>
  void project_inputs(const TA* a, const TB* b) {
    std::vector<double> through_b(static_cast<std::size_t>(shape_.k) * kVectors);
    std::vector<double> squares(static_cast<std::size_t>(shape_.k));
    for (std::int64_t batch = 0; batch < shape_.batch; ++batch) {
      const TA* a_block = a + batch * shape_.m * shape_.k;
      const TB* b_block = b + batch * shape_.k * shape_.n;
      project(b_block, shape_.k, shape_.n, signs_.data(), through_b.data());
      project(a_block, shape_.m, shape_.k, through_b.data(), want_.data() + batch * shape_.m * kVectors);
      for (std::int64_t p = 0; p < shape_.k; ++p) {
        double sum = 0;
        for (std::int64_t j = 0; j < shape_.n; ++j) {
          const double value = b_block[p * shape_.n + j];
          sum += value * value;
        }
        squares[static_cast<std::size_t>(p)] = sum;
      }
      for (std::int64_t i = 0; i < shape_.m; ++i)
        allow(batch * shape_.m + i, a_block + i * shape_.k, squares);
    }
  }

  /// The tolerance of a row. A sum of k terms t_p added in random order has partial sums whose squares add up
  /// to k Q / 6 + k T^2 / 3, with Q the sum of t_p^2 and T the total; each addition rounds by at most u times
  /// the partial sum, and storing rounds once more. Over the columns, and with random signs, errors add in
  /// squares: the row's Q is exact from the inputs, and its sum of T^2 is the mean square of the projections
  /// themselves. Roundings average 0.4 u, so the factor 8 is 20 standard deviations: no false alarm, and an
  /// element stands out about where a full comparison would have refused it.
  template <class T>
  void allow(std::int64_t row, const T* a_row, const std::vector<double>& squares) {
    constexpr double kSafety = 8;
    double terms = 0;
    for (std::int64_t p = 0; p < shape_.k; ++p) {
      const double value = a_row[p];
      terms += value * value * squares[static_cast<std::size_t>(p)];
    }
    double totals = 0;
    for (int v = 0; v < kVectors; ++v) {
      const double projection = want_[static_cast<std::size_t>(row) * kVectors + static_cast<std::size_t>(v)];
      totals += projection * projection / kVectors;
    }
    const auto k = static_cast<double>(shape_.k);
    allowed_[static_cast<std::size_t>(row)] =
        kSafety * (unit_roundoff(shape_.accumulator) * std::sqrt(k * terms / 6 + k * totals / 3 + terms) +
                   stored_roundoff_ * std::sqrt(totals));
  }

  std::string describe(std::size_t i, double got, double allowed) const {
    char text[200];
    std::snprintf(text, sizeof text, "%s row %zu, projection %zu: got %.9g, want %.9g (allowed %.3g)",
                  name_.c_str(), i / kVectors, i % kVectors, got, want_[i], allowed);
    return text;
  }

  ProductShape shape_;
  TensorView a_, b_;  ///< alive as long as the round, like the checker
  std::string name_;
  double stored_roundoff_ = 0;
  std::vector<double> signs_;    ///< n x kVectors
  std::vector<double> want_;     ///< rows x kVectors
  std::vector<double> allowed_;  ///< per row
};

}  // namespace

std::unique_ptr<AnswerChecker> make_freivalds_checker(const ProductShape& shape, const CheckSetup& setup) {
  return std::make_unique<FreivaldsChecker>(shape, setup);
}

}  // namespace aisp
