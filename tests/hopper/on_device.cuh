// SPDX-License-Identifier: Apache-2.0
/// \file
/// Host vectors with a copy on the device, and values to fill them with.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <vector>

#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_test {

using Bf16 = __nv_bfloat16;

template <class T>
class OnDevice {
 public:
  explicit OnDevice(std::size_t count) : host(count), memory_(gpu::memory_for<T>(count)) {}
  void upload() const {
    gpu::check(cudaMemcpy(memory_.get(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
               "uploading");
  }
  void download() {
    gpu::check(cudaMemcpy(host.data(), memory_.get(), host.size() * sizeof(T), cudaMemcpyDeviceToHost),
               "waiting for the kernel");
  }
  T* data() const { return memory_.get(); }

  std::vector<T> host;

 private:
  gpu::Memory<T> memory_;
};

inline std::uint32_t hashed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// Small whole numbers, so that sums of products are exact whatever their order, and differ from place to
/// place. Of 8-bit floats smaller ones: their sums keep 13 bits.
template <class T>
float small_value(std::uint32_t i) {
  constexpr int kMost = sizeof(T) == 1 ? 3 : 7;
  return static_cast<float>(static_cast<int>(hashed(i) % (2 * kMost + 1)) - kMost);
}

template <class T>
void fill_small(std::vector<T>& values, std::uint32_t seed) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(small_value<T>(static_cast<std::uint32_t>(i) * 2654435761u + seed));
}

inline float value(float x) { return x; }
inline float value(__nv_fp8_e4m3 x) { return static_cast<float>(x); }
inline float value(Bf16 x) { return __bfloat162float(x); }

/// What nothing computes: an element that was not written shows.
inline Bf16 poison() { return Bf16(__nv_bfloat16_raw{0x7fa5}); }  // a NaN
inline std::uint16_t bits_of(Bf16 x) { return static_cast<__nv_bfloat16_raw>(x).x; }

}  // namespace aisp::hopper_test
