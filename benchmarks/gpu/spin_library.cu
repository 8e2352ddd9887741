// SPDX-License-Identifier: Apache-2.0
// The spin kernel for harnesses in other languages: launched on their stream, asked for its truth afterwards.
#include "benchmarks/gpu/spin.cuh"

using aisp::benchmarks::Truth;

namespace {

Truth* memory() {
  static Truth* truth = [] {
    void* made = nullptr;
    return cudaMalloc(&made, sizeof(Truth)) == cudaSuccess ? static_cast<Truth*>(made) : nullptr;
  }();
  return truth;
}

}  // namespace

/// Forgets the truths so far.
extern "C" int spin_reset() {
  const Truth fresh;
  return cudaMemcpy(memory(), &fresh, sizeof fresh, cudaMemcpyHostToDevice);
}

extern "C" int spin_launch(unsigned long long ns, unsigned blocks, void* stream) {
  aisp::benchmarks::spin<<<blocks, 32, 0, static_cast<cudaStream_t>(stream)>>>(ns, memory());
  return cudaGetLastError();
}

/// Nanoseconds of the one launch since the reset; negative after an error.
extern "C" double spin_truth() {
  Truth truth;
  if (cudaMemcpy(&truth, memory(), sizeof truth, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
  return static_cast<double>(truth.last - truth.first);
}
