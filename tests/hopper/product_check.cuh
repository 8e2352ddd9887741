// SPDX-License-Identifier: Apache-2.0
/// \file
/// A product by some rung against a plain one, to the last bit. Inputs are small whole numbers, so every
/// order of additions gives the same sum, and the one rounding at the end the same result.
#pragma once

#include <cstring>
#include <functional>

#include "labs/hopper_matmul/product.cuh"
#include "tests/hopper/items.h"
#include "tests/hopper/on_device.cuh"

namespace aisp::hopper_test {

struct Size {
  int m, n, k;
};
constexpr std::size_t kGuard = 4096;  ///< elements behind D that must stay as they are

template <class Problem>
using Multiply = std::function<void(const Problem&, cudaStream_t)>;

template <class Problem>
__global__ void multiply_plainly(Problem p) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), i = static_cast<int>(blockIdx.y);
  if (j >= p.n) return;
  int sum = 0;
  for (int k = 0; k < p.k; ++k)
    sum += static_cast<int>(static_cast<float>(p.a[std::int64_t{i} * p.k + k])) *
           static_cast<int>(static_cast<float>(p.b[std::int64_t{j} * p.k + k]));
  float scaled[1] = {static_cast<float>(sum)};
  hopper_matmul::apply(hopper_matmul::sums_factor(p.scales), scaled);
  p.d[std::int64_t{i} * p.n + j] = static_cast<typename Problem::Out>(scaled[0]);
}

/// Both have poison behind their last element; `got` where nothing was written, too.
template <class Out>
void compare(Report& report, const Size& size, const std::vector<Out>& got, const std::vector<Out>& want) {
  const auto n = static_cast<std::size_t>(size.n), elements = static_cast<std::size_t>(size.m) * n;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(Out)) == 0) continue;
    if (i < elements) {
      if (value(got[i]) == value(want[i])) continue;  // zeros of either sign
      report.wrong("%d x %d x %d: (%zu, %zu) is %g, not %g", size.m, size.n, size.k, i / n, i % n,
                   value(got[i]), value(want[i]));
    } else {
      report.wrong("%d x %d x %d: wrote %zu behind D", size.m, size.n, size.k, i - elements);
    }
  }
}

/// `scales` has what the problem's type is scaled by, in device memory.
template <class Problem, class Scales>
void test_size(Report& report, const Multiply<Problem>& multiply, const Size& size, const Scales& scales) {
  const auto m = static_cast<std::size_t>(size.m), n = static_cast<std::size_t>(size.n),
             k = static_cast<std::size_t>(size.k);
  OnDevice<typename Problem::In> a(m * k), b(n * k);
  OnDevice<typename Problem::Out> want(m * n + kGuard), got(m * n + kGuard);
  fill_small(a.host, 5);
  fill_small(b.host, 6);
  a.upload();
  b.upload();
  for (auto* each : {&want, &got}) {
    std::memset(static_cast<void*>(each->host.data()), 0x7f, each->host.size() * sizeof each->host[0]);
    each->upload();
  }
  const dim3 grid(gpu::blocks_for(size.n, 128), static_cast<unsigned>(size.m));
  multiply_plainly<Problem><<<grid, 128>>>({a.data(), b.data(), want.data(), size.m, size.n, size.k, scales});
  gpu::check_launch("multiplying plainly");
  want.download();
  multiply({a.data(), b.data(), got.data(), size.m, size.n, size.k, scales}, nullptr);
  got.download();
  const int before = report.count();
  compare(report, size, got.host, want.host);
  if (report.count() > before)
    report.note("%d x %d x %d: %d of %zu wrong", size.m, size.n, size.k, report.count() - before, m * n);
}

}  // namespace aisp::hopper_test
