// SPDX-License-Identifier: Apache-2.0
/// \file
/// What rungs 1 to 3 share: a block of four warps a tile of D. One of its threads fetches and asks for
/// products; when all are done the four warps store the sums.
///
///   begin(memory);  if (one thread) { ... all steps ... }  end(memory, p, row, column);
#pragma once

#include "labs/blackwell_matmul/leaving.cuh"
#include "labs/hopper_matmul/cluster_launch.cuh"
#include "workloads/blackwell/block_memory.cuh"
#include "workloads/blackwell/matrix_units.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_order.h"

namespace aisp::blackwell_matmul {

template <class Tiles>
__host__ __device__ hopper::TileGrid tile_grid(const Product& p) {
  return {hopper::tiles_for(p.m, Tiles::kRows), hopper::tiles_for(p.n, Tiles::kColumns)};
}

constexpr int kTileThreads = kStoringWarps * 32;

template <class Tiles>
struct alignas(blackwell::kTileAlignment) Stages {
  std::byte a[Tiles::kStages][Tiles::kABytes];
  std::byte b[Tiles::kStages][Tiles::kBBytes];
};

template <class Tiles>
struct BlockMemory {
  static constexpr int kTaken = blackwell::columns_to_allocate(Tiles::kColumns);
  Stages<Tiles> stages;
  hopper::Barrier full[Tiles::kStages], empty[Tiles::kStages], finished;
  std::uint32_t sums;  ///< their address in tensor memory
};

/// By all threads: barriers are ready and the columns are taken.
template <class Tiles>
__device__ __forceinline__ void begin(BlockMemory<Tiles>& memory) {
  if (threadIdx.x < 32) blackwell::take_columns<1, BlockMemory<Tiles>::kTaken>(&memory.sums);
  if (threadIdx.x == 0) {
    for (hopper::Barrier& full : memory.full) full.init(1);
    for (hopper::Barrier& empty : memory.empty) empty.init(1);
    memory.finished.init(1);
    hopper::fence_barriers();
  }
  blackwell::fence_before_threads_meet();
  __syncthreads();
  blackwell::fence_after_threads_met();
}

/// By one thread: a step along k on its way into a stage.
template <class Tiles>
__device__ __forceinline__ void fetch_step(BlockMemory<Tiles>& memory, const CUtensorMap& a,
                                           const CUtensorMap& b, int row, int column, int step, int stage) {
  hopper::Barrier& full = memory.full[stage];
  full.arrive_expecting(Tiles::kStepBytes);
  hopper::load_tile(memory.stages.a[stage], a, row, step * kDepth, full);
  hopper::load_tile(memory.stages.b[stage], b, column, step * kDepth, full);
}

/// By one thread: products of a step that has come. `empty` gets an arrival when they have read their stage.
template <class Tiles>
__device__ __forceinline__ void multiply_stage(BlockMemory<Tiles>& memory, int stage, bool add) {
  blackwell::fence_after_threads_met();
  blackwell::multiply_step<1>(memory.sums, memory.stages.a[stage], memory.stages.b[stage],
                              Tiles::kInstruction, add);
  blackwell::arrive_when_multiplied(memory.empty[stage]);
}

/// By all threads, after one of them has asked for `finished`: the sums leave, the columns go back.
template <class Tiles>
__device__ __forceinline__ void end(BlockMemory<Tiles>& memory, const Product& p, int row, int column) {
  __syncwarp();
  memory.finished.wait(0);
  blackwell::fence_after_threads_met();
  store_straight<Tiles::kColumns>(p, {memory.sums, row, column}, [] {});
  blackwell::fence_before_threads_meet();
  __syncthreads();
  blackwell::fence_after_threads_met();
  if (threadIdx.x < 32) blackwell::give_columns_back<1, BlockMemory<Tiles>::kTaken>(memory.sums);
}

/// A kernel for each kind of tiles.
template <class Tiles>
void launch_block_tiles(void (*kernel)(CUtensorMap, CUtensorMap, Product), const Product& p,
                        cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(BlockMemory<Tiles>);
  static_assert(kBytes <= kSharedBytes);
  [[maybe_unused]] static const bool allowed = hopper_matmul::allow_shared_bytes(kernel, kBytes);
  hopper_matmul::launch_clusters({tile_grid<Tiles>(p).count(), 1, kTileThreads, kBytes, stream}, kernel,
                                 hopper::matrix_map(p.a, p.m, p.k, kBlockRows),
                                 hopper::matrix_map(p.b, p.n, p.k, Tiles::kBRows), p);
}

}  // namespace aisp::blackwell_matmul
