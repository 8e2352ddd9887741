// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 7: the hardware hands out the tiles.
///
/// A fixed stride gives every block the same number of tiles, also one that began late, runs at a lower clock
/// or shares its multiprocessor's power. Here the grid has a block for each tile, and a block that runs takes
/// over those that have not started (clusterlaunchcontrol.try_cancel): it asks when it begins to fetch a
/// tile, and has the answer long before it needs the next. What to look for: when the last tile of each block
/// ends.
///
/// The answer is read by every role: `given` counts its bytes, `read` the readers; four of them in turn, so
/// that fetching may be tiles ahead of storing. Of a pair, the first block asks for both.
#pragma once

#include "labs/blackwell_matmul/roles.cuh"
#include "workloads/blackwell/launch_control.cuh"

namespace aisp::blackwell_matmul {

template <class Team>
struct HandedOut {
  static constexpr bool kBlockEachTile = true;
  static constexpr int kSums = 2, kAnswers = 4;
  /// In each block the thread that fetches and four warps that store; in the first, the one that multiplies.
  static constexpr unsigned kReaders = Team::kBlocks * (1 + kStoringWarps) + 1;

  struct Memory {
    blackwell::Answer answers[kAnswers];
    hopper::Barrier given[kAnswers], read[kAnswers];

    __device__ void init() {
      for (hopper::Barrier& barrier : given) barrier.init(1);
      for (hopper::Barrier& barrier : read) barrier.init(kReaders);
    }
  };

  class Walk {
   public:
    __device__ explicit Walk(int /*tiles*/) {}
    __device__ bool has_tile() const { return block_ != blackwell::kNothingLeft; }
    __device__ int tile() const { return block_ / Team::kBlocks; }
    /// For the tile after this one. Never after an answer that nothing is left: there is no tile then.
    __device__ void ask(Memory& memory) {
      hopper::Barrier& given = memory.given[at_.index];
      if (Team::rank() == 0) Team::wait(memory.read[at_.index], at_.phase ^ 1);
      given.arrive_expecting(blackwell::kAnswerBytes);
      if (Team::rank() != 0) return;
      if constexpr (Team::kBlocks == 1) {
        blackwell::ask_for_cluster(memory.answers[at_.index], given);
      } else {
        blackwell::ask_for_all_blocks(memory.answers[at_.index], given);
      }
    }
    __device__ void next(Memory& memory) {
      look(memory);
      Team::tell_leader(memory.read[at_.index]);
      at_.advance();
    }
    __device__ void next_of_warp(Memory& memory) {
      look(memory);
      __syncwarp();  // all lanes have read it
      if (threadIdx.x % 32 == 0) Team::tell_leader(memory.read[at_.index]);
      at_.advance();
    }

   private:
    __device__ void look(Memory& memory) {
      memory.given[at_.index].wait_for_cluster(at_.phase);
      block_ = blackwell::given_block(memory.answers[at_.index]);
    }
    int block_ = static_cast<int>(blockIdx.x);
    Position<kAnswers> at_;
  };
};

inline void launch_control(const Product& product, cudaStream_t stream) {
  launch_roles<LargeTiles, Alone, HandedOut<Alone>, Staged>(product, stream);
}

}  // namespace aisp::blackwell_matmul
