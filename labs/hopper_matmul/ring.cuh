// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ring between the warp that fetches and the warps that multiply, for the rungs that tell them apart.
///
/// Two barriers a stage: `full` counts the bytes that come, `empty` the warps that have left. A Position
/// walks round the ring on each side and goes on from tile to tile, so that fetching never stops at a tile's
/// end.
///
/// In a cluster, the rows of B that its blocks share are fetched once: each block asks for a part and has it
/// written into all of them. So a stage is free when the warps of all blocks have left it.
#pragma once

#include "labs/hopper_matmul/tiles.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::hopper_matmul {

/// The first warpgroup fetches, with the registers it needs for that; the others take what it gave back.
constexpr int kThreads = (1 + kGroups) * hopper::kGroupThreads;
constexpr int kFetchRegisters = 40, kMultiplyRegisters = 232;
static_assert((kFetchRegisters + kGroups * kMultiplyRegisters) * hopper::kGroupThreads <= 65536);

template <class Tiles>
struct Ring {
  Stages<Tiles> stages;
  hopper::Barrier full[Tiles::kStages], empty[Tiles::kStages];

  /// By one thread, before a barrier of the block, or of the cluster.
  __device__ void init() {
    for (hopper::Barrier& barrier : full) barrier.init(1);
    for (hopper::Barrier& barrier : empty) barrier.init(Tiles::kCluster * kGroups * 4);
    hopper::fence_barriers();
  }
};

template <class Tiles>
struct Position {
  int stage = 0;
  unsigned phase = 0;

  __device__ __forceinline__ void advance() {
    if (++stage < Tiles::kStages) return;
    stage = 0;
    phase ^= 1;
  }
};

/// By one thread: all steps of the tile of D at (row, column), as soon as there is room.
template <class Tiles>
__device__ __forceinline__ void fetch_tile(Ring<Tiles>& ring, const CUtensorMap& a, const CUtensorMap& b,
                                           int row, int column, int steps, Position<Tiles>& at) {
  for (int step = 0; step < steps; ++step, at.advance()) {
    hopper::Barrier& full = ring.full[at.stage];
    ring.empty[at.stage].wait(at.phase ^ 1);
    full.arrive_expecting(Tiles::kStepBytes);  // the other block's part of B too
    hopper::load_tile(ring.stages.a[at.stage], a, row, step * Tiles::kDepth, full);
    if constexpr (Tiles::kCluster == 1) {
      hopper::load_tile(ring.stages.b[at.stage], b, column, step * Tiles::kDepth, full);
    } else {
      constexpr int kPart = Tiles::kColumns / Tiles::kCluster;
      const int part = static_cast<int>(hopper::cluster_rank()) * kPart;
      hopper::load_tile_for((1 << Tiles::kCluster) - 1, ring.stages.b[at.stage] + part * hopper::kRowBytes, b,
                            column + part, step * Tiles::kDepth, full);
    }
  }
}

/// An arrival for each warp: each waits for its own products.
template <class Tiles>
__device__ __forceinline__ void leave(Ring<Tiles>& ring, int stage) {
  const unsigned lane = threadIdx.x % 32;
  if constexpr (Tiles::kCluster == 1) {
    if (lane == 0) ring.empty[stage].arrive();
  } else {
    if (lane < Tiles::kCluster) ring.empty[stage].arrive_at(lane);
  }
}

/// By a warpgroup: the sums of its 64 rows over all steps. One step is always queued while the next is waited
/// for, so that the tensor cores never run dry.
template <class Tiles>
__device__ __forceinline__ void multiply_tile(Ring<Tiles>& ring, int group, int steps, Position<Tiles>& at,
                                              float (&sums)[Tiles::kSums]) {
  int queued = at.stage;
  for (int step = 0; step < steps; ++step, at.advance()) {
    ring.full[at.stage].wait(at.phase);
    multiply_step<Tiles>(ring.stages, at.stage, group, step > 0, sums);
    hopper::wait_for_products<1>(sums);
    if (step > 0) leave(ring, queued);
    queued = at.stage;
  }
  hopper::wait_for_products<0>(sums);
  leave(ring, queued);
}

}  // namespace aisp::hopper_matmul
