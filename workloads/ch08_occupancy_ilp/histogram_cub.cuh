// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchor of ch08/histogram on a GPU: CUB's DeviceHistogram, with a bin for each value of a byte.
#pragma once

#include <algorithm>
#include <cub/device/device_histogram.cuh>
#include <memory>

#include "workloads/ch08_occupancy_ilp/histogram.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::histogram {

struct Scratch {
  std::size_t bytes = 0;
  gpu::Memory<std::byte> memory = nullptr;
};

/// Says what it needs when it is given no memory, and works when it is.
inline cudaError_t cub_counts(void* memory, std::size_t& bytes, const std::uint8_t* x, std::uint32_t* counts,
                              std::int64_t n, cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(memory, bytes, x, counts, kBins + 1, 0, kBins, n, stream);
}

inline std::shared_ptr<void> prepare_cub(const Setup& setup) {
  auto scratch = std::make_shared<Scratch>();
  gpu::check(cub_counts(nullptr, scratch->bytes, nullptr, nullptr, setup.params["n"], nullptr),
             "asking CUB what it needs");
  scratch->memory = gpu::memory_for<std::byte>(std::max<std::size_t>(1, scratch->bytes));
  return scratch;
}

inline void cub_histogram(const Call& call) {
  auto& scratch = call.plan<Scratch>();
  const auto x = call.input<std::uint8_t>(kX);
  gpu::check(cub_counts(scratch.memory.get(), scratch.bytes, x.data, call.output<std::uint32_t>(kCounts).data,
                        x.size, gpu::stream_of(call)),
             "counting with CUB");
}

}  // namespace aisp::histogram
