// SPDX-License-Identifier: Apache-2.0
// ch09/sgemm picks one micro-kernel per machine; this runs every one that this machine can execute.
#include "workloads/ch09_arithmetic_intensity/sgemm_packed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "aisp/core/rng.h"

namespace aisp::sgemm {
namespace {

class Threads : public Team {
 public:
  explicit Threads(int size) : size_(size) {}
  int size() const override { return size_; }
  void run(FunctionRef<void(int, int)> body) override {
    std::vector<std::jthread> others;
    for (int i = 1; i < size_; ++i) others.emplace_back([body, i, this] { body(i, size_); });
    body(0, size_);
  }

 private:
  int size_;
};

struct Shape {
  std::int64_t m, n, k;
};

/// The largest error relative to the sum of magnitudes; infinite if an element or its surroundings are wrong.
double worst_error(const SgemmKernel& kernel, const Shape& s, int threads) {
  constexpr std::int64_t kGuard = 64;
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  std::vector<float> a(size(s.m * s.k)), b(size(s.k * s.n));
  std::vector<float> c(size(s.m * s.n + 2 * kGuard), std::numeric_limits<float>::quiet_NaN());
  Rng rng(7);
  for (float& x : a) x = static_cast<float>(rng.uniform(-1, 1));
  for (float& x : b) x = static_cast<float>(rng.uniform(-1, 1));
  PackedProduct product(kernel, s.m, s.n, s.k, threads);
  Threads team(threads);
  product.run(a.data(), b.data(), c.data() + kGuard, team);
  double worst = 0;
  for (std::int64_t i = 0; i < kGuard; ++i) {
    if (!std::isnan(c[size(i)]) || !std::isnan(c[c.size() - 1 - size(i)])) return INFINITY;
  }
  for (std::int64_t i = 0; i < s.m; ++i) {
    for (std::int64_t j = 0; j < s.n; ++j) {
      double sum = 0, scale = 0;
      for (std::int64_t p = 0; p < s.k; ++p) {
        const double term = static_cast<double>(a[size(i * s.k + p)]) * b[size(p * s.n + j)];
        sum += term;
        scale += std::fabs(term);
      }
      const double error = std::fabs(c[size(kGuard + i * s.n + j)] - sum) / scale;
      if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
    }
  }
  return worst;
}

TEST(SgemmKernels, AreRightAtEveryEdge) {
  int tested = 0;
  for (const SgemmKernel& kernel : sgemm_kernels()) {
    if (!kernel.runs_here()) continue;
    ++tested;
    const std::int64_t mr = kernel.mr, nr = kernel.nr, kc = kernel.kc, mc = kernel.mc;
    for (const Shape& s :
         {Shape{1, 1, 1}, Shape{mr, nr, 1}, Shape{mr - 1, nr - 1, 5}, Shape{mr + 1, nr + 1, 7},
          Shape{2 * mr + 3, 3 * nr - 5, kc + 1}, Shape{mc + 1, 2 * nr, 33}, Shape{1, 200, kc - 1},
          Shape{201, 1, 3}, Shape{3, kernel.nc + 9, 4}}) {
      for (const int threads : {1, 2, 3}) {
        EXPECT_LT(worst_error(kernel, s, threads), 1e-6)
            << kernel.name << " " << s.m << "x" << s.n << "x" << s.k << " on " << threads << " threads";
      }
    }
  }
  EXPECT_GE(tested, 1);
}

TEST(SgemmKernels, TheBestOneRunsHere) {
  EXPECT_TRUE(best_sgemm_kernel().runs_here());
  EXPECT_EQ(find_sgemm_kernel("portable"), &sgemm_kernels().back());
  EXPECT_EQ(find_sgemm_kernel("abacus"), nullptr);
}

}  // namespace
}  // namespace aisp::sgemm
