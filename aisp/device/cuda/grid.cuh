// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the harness's own kernels walk over data: each thread takes every n-th element.
#pragma once

#include <algorithm>
#include <cstdint>

namespace aisp::cuda {

inline constexpr unsigned kGridThreads = 256;

/// Enough blocks for `count` elements, but no more than fill a large device several times over.
inline unsigned grid_blocks(std::uint64_t count) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>((count + kGridThreads - 1) / kGridThreads, 1, 4096));
}

__device__ inline std::uint64_t first_index() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline std::uint64_t index_step() { return std::uint64_t{gridDim.x} * blockDim.x; }

}  // namespace aisp::cuda
