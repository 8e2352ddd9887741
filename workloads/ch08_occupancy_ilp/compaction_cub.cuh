// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchor of ch08/compaction on a GPU: CUB's DeviceSelect, row after row, and a kernel that fills the
/// rest.
#pragma once

#include <algorithm>
#include <cub/device/device_select.cuh>
#include <memory>
#include <optional>
#include <string>

#include "workloads/ch08_occupancy_ilp/compaction.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::compaction {

struct Scratch {
  std::size_t bytes = 0;
  gpu::Memory<std::byte> memory = nullptr;
};

struct IsPositive {
  __device__ bool operator()(float value) const { return value > 0; }
};

/// Says what it needs when it is given no memory, and works when it is.
inline cudaError_t select_row(void* memory, std::size_t& bytes, const float* x, float* kept,
                              std::int32_t* count, std::int64_t cols, cudaStream_t stream) {
  return cub::DeviceSelect::If(memory, bytes, x, kept, count, cols, IsPositive{}, stream);
}

inline std::shared_ptr<void> prepare_cub(const Setup& setup) {
  auto scratch = std::make_shared<Scratch>();
  gpu::check(select_row(nullptr, scratch->bytes, nullptr, nullptr, nullptr, setup.params["cols"], nullptr),
             "asking CUB what it needs");
  scratch->memory = gpu::memory_for<std::byte>(std::max<std::size_t>(1, scratch->bytes));
  return scratch;
}

inline std::optional<std::string> too_many_rows(const Params& size) {
  if (rows_of(size) <= 16) return std::nullopt;
  return "takes a row at a time: too many launches";
}

static __global__ void fill_rest(float* kept, const std::int32_t* count, std::int64_t cols) {
  for (std::int64_t c = *count + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; c < cols;
       c += std::int64_t{gridDim.x} * blockDim.x)
    kept[c] = kFiller;
}

inline void cub_select(const Call& call) {
  auto& scratch = call.plan<Scratch>();
  const auto cols = call.params()["cols"];
  const auto counts = call.output<std::int32_t>(kCounts);
  const cudaStream_t stream = gpu::stream_of(call);
  for (std::int64_t r = 0; r < counts.size; ++r) {
    float* kept = call.output<float>(kKept).data + r * cols;
    gpu::check(select_row(scratch.memory.get(), scratch.bytes, call.input<float>(kX).data + r * cols, kept,
                          counts.data + r, cols, stream),
               "selecting with CUB");
    const unsigned blocks = static_cast<unsigned>(std::min<std::int64_t>(2048, (cols + 255) / 256));
    fill_rest<<<blocks, 256, 0, stream>>>(kept, counts.data + r, cols);
    gpu::check_launch("filling the rest of a row");
  }
}

}  // namespace aisp::compaction
