// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 8: two blocks multiply one tile of 256 x 256.
///
/// Two blocks of a cluster, on neighbouring multiprocessors, are a pair: one instruction (cta_group::2) has
/// both tensor cores multiply. Each block fetches its own 128 rows of A and only half of the 256 rows of B:
/// the matrix units read the other half from its partner. A step is 32 KB in each block instead of 48, so the
/// ring has six steps instead of four, and 128 clocks of products read 8 KB of a block's shared memory
/// instead of 12: 64 bytes a clock. What to look for: bytes from the L2 cache, a third less, and the rate at
/// large sizes.
///
/// One thread of the first block asks for the products of both. So `full` there counts the bytes of both, and
/// its arrivals at `empty` and `done` go to both (a multicast commit); `free` and `read` there count the
/// warps of both. The second block's sums, rows 128 to 255, are in its own tensor memory.
#pragma once

#include "labs/blackwell_matmul/launch_control.cuh"
#include "workloads/blackwell/pair_copy.cuh"

namespace aisp::blackwell_matmul {

struct Pair {
  static constexpr int kBlocks = 2;
  static constexpr std::uint16_t kBoth = 0b11;
  __device__ static int rank() { return static_cast<int>(hopper::cluster_rank()); }
  __device__ static void meet() { hopper::cluster_barrier(); }
  /// The second block's bytes may come before the first expects them: a phase ends with its arrival at the
  /// earliest, and the second block fetches no further than a stage that both have left.
  __device__ static void expect(hopper::Barrier& full, unsigned bytes) {
    if (rank() == 0) full.arrive_expecting(kBlocks * bytes);
  }
  __device__ static void load(void* to, const CUtensorMap& map, int row, int column, hopper::Barrier& full) {
    blackwell::load_tile_of_pair(to, map, row, column, hopper::address_in(&full, 0));
  }
  __device__ static void arrive_when_multiplied(hopper::Barrier& barrier) {
    blackwell::arrive_when_multiplied(barrier, kBoth);
  }
  __device__ static void tell_leader(hopper::Barrier& barrier) { barrier.release_at(0); }
  __device__ static void wait(hopper::Barrier& barrier, unsigned phase) { barrier.wait_for_cluster(phase); }
};

inline void pair(const Product& product, cudaStream_t stream) {
  launch_roles<PairTiles, Pair, HandedOut<Pair>, Staged>(product, stream);
}

}  // namespace aisp::blackwell_matmul
