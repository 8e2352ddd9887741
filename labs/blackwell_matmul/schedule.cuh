// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which tiles a block takes, for the rungs that tell roles apart. Every role walks through the same tiles by
/// itself:
///
///   for (typename Schedule::Walk walk(tiles); walk.has_tile(); walk.next(memory)) ... walk.tile() ...
///
/// The role that fetches also calls walk.ask(memory) at each tile, before it fetches; whole warps call
/// next_of_warp().
#pragma once

#include "labs/blackwell_matmul/tile_shape.h"

namespace aisp::blackwell_matmul {

/// Tiles in bands of eight rows of them, for the L2 cache: what labs/hopper_matmul learnt (l2_order).
constexpr int kBand = 8;

/// As many blocks as tiles. One set of sums is enough: nothing is multiplied while they leave.
struct OneTile {
  static constexpr bool kBlockEachTile = true;
  static constexpr int kSums = 1;
  struct Memory {
    __device__ void init() {}
  };
  class Walk {
   public:
    __device__ explicit Walk(int /*tiles*/) {}
    __device__ bool has_tile() const { return here_; }
    __device__ int tile() const { return static_cast<int>(blockIdx.x); }
    __device__ void ask(Memory&) {}
    __device__ void next(Memory&) { here_ = false; }
    __device__ void next_of_warp(Memory&) { here_ = false; }

   private:
    bool here_ = true;
  };
};

/// As many blocks as run at once, each taking every so many-th tile.
struct Strided {
  static constexpr bool kBlockEachTile = false;
  static constexpr int kSums = 2;
  using Memory = OneTile::Memory;
  class Walk {
   public:
    __device__ explicit Walk(int tiles) : tiles_(tiles) {}
    __device__ bool has_tile() const { return tile_ < tiles_; }
    __device__ int tile() const { return tile_; }
    __device__ void ask(Memory&) {}
    __device__ void next(Memory&) { tile_ += static_cast<int>(gridDim.x); }
    __device__ void next_of_warp(Memory& memory) { next(memory); }

   private:
    int tiles_, tile_ = static_cast<int>(blockIdx.x);
  };
};

}  // namespace aisp::blackwell_matmul
