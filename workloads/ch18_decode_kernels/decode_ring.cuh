// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last rung: all tiles of all items in one row, cut into as many equal ranges as blocks fit. One warp
/// keeps the copy engine busy, four multiply. Whoever ends an item last puts its parts together.
#pragma once

#include "workloads/ch18_decode_kernels/decode_tile.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::decode {

template <int kStages_, int kBlocks_>
struct RingShape {
  static constexpr int kStages = kStages_, kBlocks = kBlocks_;  ///< blocks a multiprocessor
  static constexpr int kThreads = (kWarps + 1) * 32;
};

template <class S>
struct alignas(hopper::kTileAlignment) RingMemory {
  std::byte keys[S::kStages][kTileBytes];
  std::byte values[S::kStages][kTileBytes];
  Exchange exchange;
  hopper::Barrier full[S::kStages], empty[S::kStages];
  bool last;
};

/// Block b has the tiles from b n / blocks up to (b + 1) n / blocks.
struct Ranges {
  int items, tiles, blocks;  ///< tiles of each item

  __host__ __device__ std::int64_t count() const { return std::int64_t{items} * tiles; }
  __host__ __device__ std::int64_t begin(int block) const { return count() * block / blocks; }
  __host__ __device__ int block_of(std::int64_t tile) const {
    return static_cast<int>(((tile + 1) * blocks - 1) / count());
  }
  /// The first block that has a part of the item, and how many have.
  __host__ __device__ int first_of(int item) const { return block_of(std::int64_t{item} * tiles); }
  __host__ __device__ int parts_of(int item) const {
    return block_of(std::int64_t{item + 1} * tiles - 1) - first_of(item) + 1;
  }
  /// Where a part's results are: a block has two places, one for the item that it ends and one for the item
  /// that it begins; those between it has alone.
  __host__ __device__ int slot_of(int item, int part) const {
    return 2 * (first_of(item) + part) + (part == 0 ? 1 : 0);
  }
};

/// The parts that `parts_of` blocks left. A warp has a query, a lane four dimensions of it; eight parts are
/// asked for at once, as each answer takes as long as hundreds of additions.
__device__ __forceinline__ void combine(const Decode& d, const Ranges& ranges, const Parts& parts, int item,
                                        int warp) {
  constexpr int kAtOnce = 8;
  const int count = ranges.parts_of(item), first = ranges.first_of(item);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int g = warp; g < d.group; g += kWarps) {
    Softened all{kNothing, 0};
    float4 sums{0, 0, 0, 0};
    for (int p = 0; p < count; p += kAtOnce) {
      Softened of[kAtOnce];
      float4 values[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const int part = min(p + i, count - 1), at = (2 * (first + part) + (part == 0)) * d.group + g;
        const float2 pair = __ldcg(reinterpret_cast<const float2*>(&parts.softened[at]));
        of[i] = {p + i < count ? pair.x : kNothing, p + i < count ? pair.y : 0};
        values[i] = __ldcg(reinterpret_cast<const float4*>(&parts.values[std::int64_t{at} * kDim]) + lane);
      }
      float most = all.max;
#pragma unroll
      for (const Softened& each : of) most = fmaxf(most, each.max);
      const float keep = power_of_two(all.max - most);
      all = {most, all.sum * keep};
      sums = {sums.x * keep, sums.y * keep, sums.z * keep, sums.w * keep};
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        const float factor = p + i < count ? power_of_two(of[i].max - most) : 0;
        all.sum += of[i].sum * factor;
        sums.x += values[i].x * factor;
        sums.y += values[i].y * factor;
        sums.z += values[i].z * factor;
        sums.w += values[i].w * factor;
      }
    }
    const float factor = 1 / all.sum;
    auto* out = reinterpret_cast<uint2*>(d.o + (std::int64_t{item} * d.group + g) * kDim) + lane;
    *out = {hopper::rounded_pair(sums.x * factor, sums.y * factor),
            hopper::rounded_pair(sums.z * factor, sums.w * factor)};
  }
}

template <class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    decode_ring(const __grid_constant__ CUtensorMap keys, const __grid_constant__ CUtensorMap values,
                const Decode d, const Ranges ranges, const Parts parts, unsigned* finished) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<RingMemory<S>*>(shared_bytes);
  const int block = static_cast<int>(blockIdx.x);
  const int warp = __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / 32, 0);
  const std::int64_t begin = ranges.begin(block), end = ranges.begin(block + 1);
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      memory.full[s].init(1);
      memory.empty[s].init(kWarps);
    }
    hopper::fence_barriers();
  }
  __syncthreads();
  int stage = 0;
  unsigned phase = 0;
  const auto advance = [&] {
    if (++stage < S::kStages) return;
    stage = 0;
    phase ^= 1;
  };
  if (warp == kWarps) {
    if (threadIdx.x % 32 != 0) return;
    hopper::prefetch_map(keys);
    hopper::prefetch_map(values);
    int item = static_cast<int>(begin / ranges.tiles), tile = static_cast<int>(begin % ranges.tiles);
    for (std::int64_t t = begin; t < end; ++t, advance()) {
      memory.empty[stage].wait(phase ^ 1);
      memory.full[stage].arrive_expecting(2 * kTileBytes);
      for (int c = 0; c < 2; ++c)
        hopper::load_tile(memory.keys[stage] + c * kChunkBytes, keys, item, tile * kTile, c * 64,
                          memory.full[stage]);
      for (int c = 0; c < 2; ++c)
        hopper::load_tile(memory.values[stage] + c * kChunkBytes, values, item, tile * kTile, c * 64,
                          memory.full[stage]);
      if (++tile == ranges.tiles) ++item, tile = 0;
    }
    return;
  }
  WarpState state;
  const auto meet = [] { hopper::group_barrier(1, kWarps * 32); };
  for (std::int64_t t = begin; t < end;) {
    const int item = static_cast<int>(t / ranges.tiles), first = static_cast<int>(t % ranges.tiles);
    const int steps = static_cast<int>(min(end - t, std::int64_t{ranges.tiles - first}));
    state.begin(d.q + std::int64_t{item} * d.group * kDim, d.group);
    for (int s = 0; s < steps; ++s, advance()) {
      memory.full[stage].wait(phase);
      state.attend(hopper::shared_address(memory.keys[stage]), hopper::shared_address(memory.values[stage]),
                   warp * 16, d.context - (first + s) * kTile - warp * 16);
      __syncwarp();
      if (threadIdx.x % 32 == 0) memory.empty[stage].arrive();
    }
    t += steps;
    state.leave(memory.exchange.values[warp], memory.exchange.softened[warp]);
    meet();
    const int dimension = static_cast<int>(threadIdx.x), count = ranges.parts_of(item);
    if (count == 1) {
      put_together(memory.exchange, d.group, dimension, [&](int g, float value, Softened s) {
        d.o[(std::int64_t{item} * d.group + g) * kDim + dimension] = __float2bfloat16_rn(value / s.sum);
      });
    } else {
      const int slot = ranges.slot_of(item, block - ranges.first_of(item));
      put_together(memory.exchange, d.group, dimension, [&](int g, float value, Softened s) {
        parts.values[(std::int64_t{slot} * d.group + g) * kDim + dimension] = value;
        if (dimension == 0) parts.softened[slot * d.group + g] = s;
      });
      __threadfence();
      meet();
      if (threadIdx.x == 0)
        memory.last = atomicInc(&finished[item], static_cast<unsigned>(count - 1)) ==
                      static_cast<unsigned>(count - 1);  // and begins at 0 again for the next call
      meet();
      if (memory.last) {
        __threadfence();
        combine(d, ranges, parts, item, warp);
      }
    }
    meet();  // before the exchange is written again
  }
#endif
}

template <class S>
Ranges ranges_of(const Decode& d) {
  const int tiles = (d.context + kTile - 1) / kTile;
  const std::int64_t all = std::int64_t{d.items} * tiles, fit = std::int64_t{S::kBlocks} * gpu::processors();
  return {d.items, tiles, static_cast<int>(all < fit ? all : fit)};
}

template <class S>
void launch_ring(const Decode& d, const Parts& parts, unsigned* finished, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(RingMemory<S>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(decode_ring<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const Ranges ranges = ranges_of<S>(d);
  const auto map_of = [&](const Bf16* data) {
    return hopper::stack_map(data, d.items, d.context, kDim, kTile, CU_TENSOR_MAP_L2_PROMOTION_NONE);
  };
  decode_ring<S><<<static_cast<unsigned>(ranges.blocks), S::kThreads, kBytes, stream>>>(
      map_of(d.k), map_of(d.v), d, ranges, parts, finished);
  gpu::check_launch("attention of one query, by a ring of tiles");
}

}  // namespace aisp::decode
