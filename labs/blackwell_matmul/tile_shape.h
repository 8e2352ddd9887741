// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tiles of the rungs, what they take of shared and of tensor memory, and how one walks round a ring:
/// plain arithmetic, tested without a GPU.
#pragma once

#include <cstdint>

#include "workloads/blackwell/layout.h"

namespace aisp::blackwell_matmul {

constexpr int kBlockRows = blackwell::kLanes;  ///< of A and of D, that one block has
constexpr int kDepth = blackwell::kRowValues;  ///< of a step along k: one swizzled row
constexpr unsigned kSharedBytes = 227 * 1024;  ///< that a block may have

/// A tile of D has 128 rows a block and kN columns; kRing steps along k are in shared memory; kTeam blocks,
/// one or a pair, multiply it together. Each has its own rows of A, and an equal part of B's.
template <int kN, int kRing, int kTeam = 1>
struct Shape {
  static constexpr int kBlocks = kTeam, kColumns = kN, kStages = kRing;
  static constexpr int kRows = kBlockRows * kBlocks, kBRows = kColumns / kBlocks;
  static constexpr unsigned kABytes = kBlockRows * blackwell::kRowBytes,
                            kBBytes = kBRows * blackwell::kRowBytes;
  static constexpr unsigned kStepBytes = kABytes + kBBytes;  ///< of one block
  static constexpr std::uint32_t kInstruction = blackwell::instruction_descriptor(kRows, kColumns);
  static_assert(blackwell::shape_exists(kBlocks, kRows, kColumns));
};

using StepTiles = Shape<128, 1>;     ///< of one_step: 32 KB
using RingTiles = Shape<128, 6>;     ///< of ring: six times that
using LargeTiles = Shape<256, 4>;    ///< from large_tile on: 48 KB a step
using PairTiles = Shape<256, 6, 2>;  ///< of pair: 32 KB a step in each block

/// What sums on their way out take of shared memory: two tiles of 64 columns a warp, in turn.
constexpr int kStoringWarps = 4, kStagedColumns = blackwell::kRowValues, kStagedTiles = 2;
constexpr unsigned kStagedBytes = blackwell::kWarpLanes * blackwell::kRowBytes;  ///< of one such tile

/// Which of kCount things that are used in turn, and the parity of the lap: a barrier's phase.
template <int kCount>
struct Position {
  int index = 0;
  unsigned phase = 0;

  constexpr void advance() {
    if (++index < kCount) return;
    index = 0;
    phase ^= 1;
  }
};

}  // namespace aisp::blackwell_matmul
