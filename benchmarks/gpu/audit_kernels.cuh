// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the parts of audit_report have the device do.
#pragma once

#include <cstddef>

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::benchmarks {

constexpr std::size_t kMiB = std::size_t{1} << 20;

inline void wait_for_device() { cuda::check(cudaDeviceSynchronize(), "waiting for the device"); }

inline cudaStream_t side_stream() {
  cudaStream_t stream = nullptr;
  cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  return stream;
}

static __global__ void empty() {}

static __global__ void read_only(const uint4* data, std::size_t count, unsigned* sum) {
  unsigned seen = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 v = data[i];
    seen += v.x ^ v.y ^ v.z ^ v.w;
  }
  if (seen != 0) *sum = seen;
}

static __global__ void copy(const uint4* from, uint4* to, std::size_t count) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = from[i];
}

}  // namespace aisp::benchmarks
