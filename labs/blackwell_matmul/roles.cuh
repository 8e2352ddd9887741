// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rungs 4 to 8: one warp fetches, one asks for products, four store sums, each at its own
/// pace.
///
///   launch_roles<LargeTiles, Alone, Strided, Staged>(product, stream);
///
/// Between fetching and multiplying is the ring: `full` counts bytes, `empty` gets an arrival when a stage
/// has been read. Between multiplying and storing are one or two sets of sums in tensor memory: `done` gets
/// an arrival when a tile's products are, `free` one from each warp that has read its part. Who takes which
/// tile is the schedule's (schedule.cuh), how sums leave is leaving.cuh's, and whether a block multiplies
/// alone or in a pair is the team's (Alone here, Pair in pair.cuh).
#pragma once

#include <algorithm>

#include "labs/blackwell_matmul/block_tiles.cuh"
#include "labs/blackwell_matmul/schedule.cuh"
#include "workloads/hopper/cluster.cuh"

namespace aisp::blackwell_matmul {

/// Warps 0 to 3 store: their numbers decide which lanes of tensor memory they reach.
constexpr int kFetchWarp = kStoringWarps, kMultiplyWarp = kStoringWarps + 1;
constexpr int kRoleThreads = (kStoringWarps + 2) * 32;

/// A block that multiplies by itself.
struct Alone {
  static constexpr int kBlocks = 1;
  __device__ static int rank() { return 0; }
  __device__ static void meet() { __syncthreads(); }
  __device__ static void expect(hopper::Barrier& full, unsigned bytes) { full.arrive_expecting(bytes); }
  __device__ static void load(void* to, const CUtensorMap& map, int row, int column, hopper::Barrier& full) {
    hopper::load_tile(to, map, row, column, full);
  }
  __device__ static void arrive_when_multiplied(hopper::Barrier& barrier) {
    blackwell::arrive_when_multiplied(barrier);
  }
  __device__ static void tell_leader(hopper::Barrier& barrier) { barrier.arrive(); }
  __device__ static void wait(hopper::Barrier& barrier, unsigned phase) { barrier.wait(phase); }
};

template <class Tiles, class Team, class Schedule, class Leaving>
struct RoleMemory {
  static_assert(Tiles::kBlocks == Team::kBlocks);
  static constexpr int kSums = Schedule::kSums;  ///< sets of them
  static constexpr int kTaken = blackwell::columns_to_allocate(kSums * Tiles::kColumns);
  Stages<Tiles> stages;
  typename Leaving::Memory leaving;
  typename Schedule::Memory schedule;
  hopper::Barrier full[Tiles::kStages], empty[Tiles::kStages], done[kSums], free[kSums];
  std::uint32_t sums;  ///< their address in tensor memory

  /// By one thread, before the team meets.
  __device__ void init() {
    for (hopper::Barrier& barrier : full) barrier.init(1);
    for (hopper::Barrier& barrier : empty) barrier.init(1);
    for (hopper::Barrier& barrier : done) barrier.init(1);
    for (hopper::Barrier& barrier : free) barrier.init(Team::kBlocks * kStoringWarps);
    schedule.init();
    hopper::fence_barriers();
  }
  __device__ std::uint32_t sums_at(int turn) const {
    return blackwell::memory_address(sums, 0, turn * Tiles::kColumns);
  }
};

/// By one thread of each block.
template <class Tiles, class Team, class Schedule, class Leaving>
__device__ __forceinline__ void fetch_tiles(RoleMemory<Tiles, Team, Schedule, Leaving>& memory,
                                            const CUtensorMap& a, const CUtensorMap& b, hopper::TileGrid grid,
                                            int steps) {
  Position<Tiles::kStages> at;
  for (typename Schedule::Walk walk(grid.count()); walk.has_tile(); walk.next(memory.schedule)) {
    walk.ask(memory.schedule);
    const hopper::Tile tile = hopper::banded_tile(grid, kBand, walk.tile());
    const int row = tile.row * Tiles::kRows + Team::rank() * kBlockRows;
    const int column = tile.column * Tiles::kColumns + Team::rank() * Tiles::kBRows;
    for (int step = 0; step < steps; ++step, at.advance()) {
      hopper::Barrier& full = memory.full[at.index];
      Team::wait(memory.empty[at.index], at.phase ^ 1);
      Team::expect(full, Tiles::kStepBytes);
      Team::load(memory.stages.a[at.index], a, row, step * kDepth, full);
      Team::load(memory.stages.b[at.index], b, column, step * kDepth, full);
    }
  }
  // Arrivals of the last products may still be on their way here, perhaps from the other block's thread.
  for (int stage = 0; stage < Tiles::kStages; ++stage, at.advance())
    Team::wait(memory.empty[at.index], at.phase ^ 1);
}

/// By one thread of a team.
template <class Tiles, class Team, class Schedule, class Leaving>
__device__ __forceinline__ void multiply_tiles(RoleMemory<Tiles, Team, Schedule, Leaving>& memory,
                                               hopper::TileGrid grid, int steps) {
  using Memory = RoleMemory<Tiles, Team, Schedule, Leaving>;
  Position<Tiles::kStages> at;
  Position<Memory::kSums> turn;
  for (typename Schedule::Walk walk(grid.count()); walk.has_tile(); walk.next(memory.schedule)) {
    Team::wait(memory.free[turn.index], turn.phase ^ 1);
    for (int step = 0; step < steps; ++step, at.advance()) {
      Team::wait(memory.full[at.index], at.phase);
      blackwell::fence_after_threads_met();
      blackwell::multiply_step<Team::kBlocks>(memory.sums_at(turn.index), memory.stages.a[at.index],
                                              memory.stages.b[at.index], Tiles::kInstruction, step > 0);
      Team::arrive_when_multiplied(memory.empty[at.index]);
    }
    Team::arrive_when_multiplied(memory.done[turn.index]);
    turn.advance();
  }
}

/// By four warps of each block.
template <class Tiles, class Team, class Schedule, class Leaving>
__device__ __forceinline__ void store_tiles(RoleMemory<Tiles, Team, Schedule, Leaving>& memory,
                                            const CUtensorMap& d, const Product& p, hopper::TileGrid grid) {
  using Memory = RoleMemory<Tiles, Team, Schedule, Leaving>;
  Position<Memory::kSums> turn;
  for (typename Schedule::Walk walk(grid.count()); walk.has_tile(); walk.next_of_warp(memory.schedule)) {
    const hopper::Tile tile = hopper::banded_tile(grid, kBand, walk.tile());
    Team::wait(memory.done[turn.index], turn.phase);
    blackwell::fence_after_threads_met();
    Leaving::template store<Tiles::kColumns>(
        memory.leaving, d, p,
        {memory.sums_at(turn.index), tile.row * Tiles::kRows + Team::rank() * kBlockRows,
         tile.column * Tiles::kColumns},
        [&] {
          blackwell::fence_before_threads_meet();
          __syncwarp();
          if (threadIdx.x % 32 == 0) Team::tell_leader(memory.free[turn.index]);
        });
    turn.advance();
  }
  Leaving::finish();
}

template <class Tiles, class Team, class Schedule, class Leaving>
__global__ void __launch_bounds__(kRoleThreads, 1)
    multiply_by_roles(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                      const __grid_constant__ CUtensorMap d, const __grid_constant__ Product p) {
#ifdef AISP_TCGEN05
  using Memory = RoleMemory<Tiles, Team, Schedule, Leaving>;
  auto& memory = blackwell::block_memory<Memory>();
  const hopper::TileGrid grid = tile_grid<Tiles>(p);
  const int steps = hopper::tiles_for(p.k, kDepth);
  const int warp = __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / 32, 0);
  if (warp == kMultiplyWarp) blackwell::take_columns<Team::kBlocks, Memory::kTaken>(&memory.sums);
  if (threadIdx.x == 0) {
    hopper::prefetch_map(a);
    hopper::prefetch_map(b);
    hopper::prefetch_map(d);
    memory.init();
  }
  __syncwarp();
  blackwell::fence_before_threads_meet();
  Team::meet();
  blackwell::fence_after_threads_met();

  if (warp == kFetchWarp) {
    if (blackwell::elected()) fetch_tiles(memory, a, b, grid, steps);
  } else if (warp == kMultiplyWarp) {
    if (Team::rank() == 0 && blackwell::elected()) multiply_tiles(memory, grid, steps);
  } else {
    store_tiles(memory, d, p, grid);
  }
  __syncwarp();
  blackwell::fence_before_threads_meet();
  Team::meet();  // nobody reads or writes tensor memory, or this block's barriers, any more
  blackwell::fence_after_threads_met();
  if (warp == kMultiplyWarp) blackwell::give_columns_back<Team::kBlocks, Memory::kTaken>(memory.sums);
#endif
}

template <class Tiles, class Team, class Schedule, class Leaving>
void launch_roles(const Product& p, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(RoleMemory<Tiles, Team, Schedule, Leaving>);
  static_assert(kBytes <= kSharedBytes);
  constexpr auto kKernel = multiply_by_roles<Tiles, Team, Schedule, Leaving>;
  static const int at_once = hopper_matmul::clusters_at_once(kKernel, Team::kBlocks, kRoleThreads, kBytes);
  const int tiles = tile_grid<Tiles>(p).count();
  hopper_matmul::launch_clusters({Schedule::kBlockEachTile ? tiles : std::min(tiles, at_once), Team::kBlocks,
                                  kRoleThreads, kBytes, stream},
                                 kKernel, hopper::matrix_map(p.a, p.m, p.k, kBlockRows),
                                 hopper::matrix_map(p.b, p.n, p.k, Tiles::kBRows),
                                 hopper::matrix_map(p.d, p.m, p.n, blackwell::kWarpLanes), p);
}

}  // namespace aisp::blackwell_matmul
