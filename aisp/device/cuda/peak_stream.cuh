// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kernels that do nothing but move data: every thread loads or stores a few vectors at once, tile after
/// tile. How wide a vector, how many at once and with which cache hint is what the probes differ in.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aisp::cuda {

enum class Way { read, write, copy };
/// plain: as the compiler does it; streaming: evict first; past_l1: keep out of the L1 cache.
enum class Hint { plain, streaming, past_l1 };

/// What a kernel moves. `passes` over the same tiles are for sets that stay in a cache; with `rotation` a
/// block meets other tiles in every pass.
struct Stretch {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::size_t tiles = 0;  ///< of threads times unroll vectors each
  unsigned passes = 1;
  std::size_t rotation = 0;  ///< less than tiles
  std::uint32_t* sink = nullptr;
};

template <Hint kHint, class Vector>
__device__ Vector load(const Vector* from) {
  if constexpr (kHint == Hint::streaming) return __ldcs(from);
  if constexpr (kHint == Hint::past_l1) return __ldcg(from);
  return *from;
}

template <Hint kHint, class Vector>
__device__ void store(Vector* to, Vector value) {
  if constexpr (kHint == Hint::streaming) {
    __stcs(to, value);
  } else if constexpr (kHint == Hint::past_l1) {
    __stcg(to, value);
  } else {
    *to = value;
  }
}

__device__ inline std::uint32_t fold(std::uint32_t v) { return v; }
__device__ inline std::uint32_t fold(uint2 v) { return v.x ^ v.y; }
__device__ inline std::uint32_t fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/// Bits that differ from vector to vector, for the price of a multiplication.
template <class Vector>
__device__ Vector made_up(std::size_t index) {
  const std::uint32_t bits = static_cast<std::uint32_t>(index) * 2654435761u + 1;
  if constexpr (sizeof(Vector) == 4) return bits;
  if constexpr (sizeof(Vector) == 8) return {bits, ~bits};
  if constexpr (sizeof(Vector) == 16) return {bits, ~bits, bits ^ 0x55555555u, bits ^ 0x33333333u};
}

template <Way kWay, class Vector, Hint kHint, int kUnroll>
__global__ void stream_tiles(Stretch stretch) {
  const auto* from = reinterpret_cast<const Vector*>(stretch.from);
  auto* to = reinterpret_cast<Vector*>(stretch.to);
  std::uint32_t seen = 0;
  std::size_t shift = 0;
  for (unsigned pass = 0; pass < stretch.passes; ++pass) {
    for (std::size_t i = blockIdx.x; i < stretch.tiles; i += gridDim.x) {
      const std::size_t tile = i + shift < stretch.tiles ? i + shift : i + shift - stretch.tiles;
      const std::size_t first = tile * kUnroll * blockDim.x + threadIdx.x;
      Vector values[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        const std::size_t at = first + std::size_t(u) * blockDim.x;
        values[u] = kWay == Way::write ? made_up<Vector>(at) : load<kHint>(from + at);
      }
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        if constexpr (kWay == Way::read) {
          seen ^= fold(values[u]);
        } else {
          store<kHint>(to + first + std::size_t(u) * blockDim.x, values[u]);
        }
      }
    }
    shift += stretch.rotation;
    if (shift >= stretch.tiles) shift -= stretch.tiles;
  }
  // One word in four billion: what was read is needed, and next to nothing is written.
  if (kWay == Way::read && seen == 0x9e3779b9u) *stretch.sink = seen;
}

}  // namespace aisp::cuda
