// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchors of ch07/reduction on a GPU: CUB, a row after the other and all rows at once.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <memory>
#include <optional>
#include <string>

#include "workloads/ch07_memory_access/reduction.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::reduction_rows {

struct Scratch {
  std::size_t bytes = 0;
  gpu::Memory<std::byte> memory = nullptr;
};

/// CUB's calls say what they need when they are given no memory, and work when they are.
template <class Sum>
std::shared_ptr<void> prepare_scratch(Sum sum) {
  auto scratch = std::make_shared<Scratch>();
  gpu::check(sum(nullptr, scratch->bytes), "asking CUB what it needs");
  scratch->memory = gpu::memory_for<std::byte>(std::max<std::size_t>(1, scratch->bytes));
  return scratch;
}

inline std::shared_ptr<void> prepare_each(const Setup& setup) {
  return prepare_scratch([&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, static_cast<const float*>(nullptr),
                                  static_cast<float*>(nullptr), setup.params["cols"]);
  });
}

inline void cub_each(const Call& call) {
  auto& scratch = call.plan<Scratch>();
  const auto cols = call.params()["cols"];
  const auto y = call.output<float>(kY);
  for (std::int64_t r = 0; r < y.size; ++r) {
    gpu::check(
        cub::DeviceReduce::Sum(scratch.memory.get(), scratch.bytes, call.input<float>(kX).data + r * cols,
                               y.data + r, cols, gpu::stream_of(call)),
        "adding up a row with CUB");
  }
}

struct RowBegin {
  std::int64_t cols;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * cols; }
};

inline cudaError_t segmented(void* memory, std::size_t& bytes, const float* x, float* y, std::int64_t rows,
                             std::int64_t cols, cudaStream_t stream) {
  const auto begin =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), RowBegin{cols});
  return cub::DeviceSegmentedReduce::Sum(memory, bytes, x, y, rows, begin, begin + 1, stream);
}

/// One block adds up a row, in float; at 64 M values its sum was off by 1.8 times what reduction.h allows.
inline std::optional<std::string> too_long_for_segments(const Params& size) {
  if (size["cols"] <= std::int64_t{1} << 24) return std::nullopt;
  return "adds up a row in float, too long for the tolerance";
}

inline std::shared_ptr<void> prepare_segmented(const Setup& setup) {
  return prepare_scratch([&](void* memory, std::size_t& bytes) {
    return segmented(memory, bytes, nullptr, nullptr, rows_of(setup.params), setup.params["cols"], nullptr);
  });
}

inline void cub_segmented(const Call& call) {
  auto& scratch = call.plan<Scratch>();
  const auto y = call.output<float>(kY);
  gpu::check(segmented(scratch.memory.get(), scratch.bytes, call.input<float>(kX).data, y.data, y.size,
                       call.params()["cols"], gpu::stream_of(call)),
             "adding up rows with CUB");
}

}  // namespace aisp::reduction_rows
