// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rung 12, for products of bf16 or fp8 so small that every multiprocessor gets one tile at
/// most: it counts how soon the first bytes are asked for and the last ones have left.
///
/// Nothing stays and nothing is given back: one warp fetches, one or two warpgroups multiply. The thread that
/// makes the barriers ready asks for the first steps before anybody else knows of them. Sums leave a warp at
/// a time, as whole lines: nobody waits for another warp or for the copy engine.
#pragma once

#include "labs/hopper_matmul/tile_choice.h"
#include "labs/hopper_matmul/tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {

/// A tile has 64 rows for each warpgroup that multiplies.
template <int kWarpgroups, int kN, int kRing, class ProductType = Product>
struct OneWaveShape : Shape<kN, kRing, 1, ProductType> {
  static_assert(sizeof(typename ProductType::Out) == sizeof(Bf16), "sums leave as lines of bf16");
  static constexpr int kTeams = kWarpgroups, kRows = kWarpgroups * kGroupRows;
  static constexpr int kMultiplying = kTeams * hopper::kGroupThreads, kAll = kMultiplying + 32;
  static constexpr unsigned kABytes = kRows * hopper::kRowBytes;
  static constexpr unsigned kStepBytes = kABytes + kN * hopper::kRowBytes;
};

template <class Tiles>
struct OneWaveMemory {
  Stages<Tiles> stages;
  std::byte rows[Tiles::kTeams * 4][2][16 * hopper::kRowBytes];  ///< of D: a warp's, 64 columns at a time
  hopper::Barrier full[Tiles::kStages], empty[Tiles::kStages];
};

/// By one thread: what this block needs of A and B, step by step.
template <class Tiles>
struct Fetch {
  OneWaveMemory<Tiles>& memory;
  const CUtensorMap &a, &b;
  int row, column, steps;

  __device__ __forceinline__ void ask(int step) const {
    const int stage = step % Tiles::kStages, depth = step * Tiles::kDepth;
    memory.full[stage].arrive_expecting(Tiles::kStepBytes);
    hopper::load_tile(memory.stages.a[stage], a, row, depth, memory.full[stage]);
    hopper::load_tile(memory.stages.b[stage], b, column, depth, memory.full[stage]);
  }
  /// Barriers, and at once as many steps as there is room for.
  __device__ __forceinline__ void begin() const {
    for (hopper::Barrier& barrier : memory.full) barrier.init(1);
    for (hopper::Barrier& barrier : memory.empty) barrier.init(Tiles::kTeams * 4);
    hopper::fence_barriers();
    for (int step = 0; step < Tiles::kStages && step < steps; ++step) ask(step);
  }
  __device__ __forceinline__ void rest() const {
    for (int step = Tiles::kStages; step < steps; ++step) {
      memory.empty[step % Tiles::kStages].wait((step / Tiles::kStages - 1) & 1);
      ask(step);
    }
  }
};

/// By a warpgroup: the sums over all steps.
template <class Tiles>
__device__ __forceinline__ void multiply_steps(OneWaveMemory<Tiles>& memory, int group, int steps,
                                               float (&sums)[Tiles::kSums]) {
  for (int step = 0; step < steps; ++step) {
    memory.full[step % Tiles::kStages].wait(step / Tiles::kStages & 1);
    multiply_step<Tiles>(memory.stages, step % Tiles::kStages, group, step > 0, sums);
    hopper::wait_for_products<1>(sums);
    if (step > 0 && threadIdx.x % 32 == 0) memory.empty[(step - 1) % Tiles::kStages].arrive();
  }
  hopper::wait_for_products<0>(sums);
}

/// By a warp: its 16 rows of D, from `row`.
template <class Tiles>
__device__ __forceinline__ void store_lines(std::byte (&memory)[2][16 * hopper::kRowBytes],
                                            const typename Tiles::Problem& p, int row, int column,
                                            const float (&sums)[Tiles::kSums]) {
  const int lane = static_cast<int>(threadIdx.x) % 32, piece = lane % 8;
#pragma unroll
  for (int first = 0; first < Tiles::kColumns; first += hopper::kRowValues) {
    std::byte* rows = memory[first / hopper::kRowValues % 2];  // all had read it when they last met
    hopper::store_rounded(hopper::shared_address(rows), first, sums, 0);
    __syncwarp();
    const int at_column = column + first + piece * 8;
#pragma unroll
    for (int r = 0; r < 16; r += 4) {
      const int at_row = r + lane / 8;
      const uint4 line =
          *reinterpret_cast<const uint4*>(rows + hopper::swizzled(static_cast<std::uint32_t>(at_row),
                                                                  static_cast<std::uint32_t>(piece * 16)));
      if (row + at_row < p.m && at_column < p.n)
        *reinterpret_cast<uint4*>(p.d + std::int64_t{row + at_row} * p.n + at_column) = line;
    }
  }
}

template <class Tiles>
__global__ void __launch_bounds__(Tiles::kAll, 1)
    multiply_one_wave(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                      const __grid_constant__ typename Tiles::Problem p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<OneWaveMemory<Tiles>*>(shared_bytes);
  const int rows = hopper::tiles_for(p.m, Tiles::kRows);
  const int row = static_cast<int>(blockIdx.x) % rows * Tiles::kRows,
            column = static_cast<int>(blockIdx.x) / rows * Tiles::kColumns;
  const int steps = hopper::tiles_for(p.k, Tiles::kDepth);
  const Fetch<Tiles> fetch{memory, a, b, row, column, steps};
  const bool fetches = threadIdx.x == Tiles::kMultiplying;
  if (threadIdx.x == 0) {  // while another warp makes the barriers ready
    hopper::prefetch_map(a);
    hopper::prefetch_map(b);
  }
  if (fetches) fetch.begin();
  __syncthreads();  // the barriers are ready

  const int group = hopper::group_index();
  if (group == Tiles::kTeams) {
    if (fetches) fetch.rest();
  } else {
    float sums[Tiles::kSums] = {};
    hopper::settle(sums);
    const auto factor = sums_factor(p.scales);  // now: at the end a cold call would wait for memory once more
    multiply_steps(memory, group, steps, sums);
    apply(factor, sums);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    store_lines<Tiles>(memory.rows[warp], p, row + warp * 16, column, sums);
  }
#endif
}

template <class Tiles>
void launch_one_wave(const typename Tiles::Problem& p, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(OneWaveMemory<Tiles>);
  static_assert(kBytes <= 227 * 1024);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_one_wave<Tiles>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing the stages their shared memory");
  const unsigned tiles = gpu::blocks_for(p.m, Tiles::kRows) * gpu::blocks_for(p.n, Tiles::kColumns);
  multiply_one_wave<Tiles><<<tiles, Tiles::kAll, kBytes, stream>>>(
      hopper::matrix_map(p.a, p.m, p.k, Tiles::kRows), hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns), p);
  gpu::check_launch("multiplying a tile a block");
}

/// Of that tile; there may be more of them than multiprocessors, and they queue.
template <class Problem>
void launch_wave_tile(const Problem& p, WaveTile tile, cudaStream_t stream) {
  if (tile == WaveTile::small) return launch_one_wave<OneWaveShape<1, 128, 8, Problem>>(p, stream);
  launch_one_wave<OneWaveShape<2, 256, 4, Problem>>(p, stream);
}

}  // namespace aisp::hopper_matmul
