// SPDX-License-Identifier: Apache-2.0
/// \file
/// The cases on which stopwatches are compared, and what a launch of the spin kernel said about itself. Every
/// harness gets the same kernel, lengths and grids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "aisp/device/cuda/memory.h"
#include "benchmarks/gpu/spin.cuh"

namespace aisp::benchmarks {

constexpr unsigned kThreads = 32;
/// One block, one for each multiprocessor of an H200, eight for each.
constexpr unsigned kGrids[] = {1, 132, 1056};
constexpr unsigned long long kSpins[] = {1000, 2000, 5000, 10000, 50000};  // ns

inline double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

/// The truth of one launch at a time, in the device's memory.
class TruthMemory {
 public:
  Truth* get() const { return truth_.get(); }

  void forget() {
    const Truth fresh;
    cuda::check(cudaMemcpy(truth_.get(), &fresh, sizeof fresh, cudaMemcpyHostToDevice),
                "forgetting the truth");
  }

  /// Of the one launch since it was forgotten.
  double ns() const {
    Truth seen;
    cuda::check(cudaMemcpy(&seen, truth_.get(), sizeof seen, cudaMemcpyDeviceToHost), "asking for the truth");
    return static_cast<double>(seen.last - seen.first);
  }

 private:
  cuda::DeviceMemory<Truth> truth_ = cuda::device_memory<Truth>(1);
};

}  // namespace aisp::benchmarks
