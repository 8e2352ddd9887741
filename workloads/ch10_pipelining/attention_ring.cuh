// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared memory of the rungs with wgmma, and the warp that fills it: a tile of queries, two rings of tiles
/// of keys and of values, a tile of results on its way out.
///
/// The fetching warp runs ahead: while the last products of a tile are made, the next tile's queries and
/// first keys already come. What it works on it says in `tile`, which is good while the queries are.
#pragma once

#include <cstddef>
#include <numeric>

#include "workloads/ch10_pipelining/attention.cuh"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::attention {

/// kGroups warpgroups with 64 queries each; tiles of kKeys keys, kStages of them in shared memory.
template <int kDim_, int kGroups_, int kKeys_, int kStages_>
struct Shape {
  static constexpr int kDim = kDim_, kGroups = kGroups_, kKeys = kKeys_, kStages = kStages_;
  static constexpr int kRows = kGroups * 64;
  static constexpr int kChunks = kDim / hopper::kRowValues;  ///< of 64 dimensions: one swizzled row each
  static constexpr int kThreads = (1 + kGroups) * hopper::kGroupThreads;
  static constexpr int kFetchRegisters = kGroups == 2 ? 24 : 32, kRegisters = kGroups == 2 ? 240 : 160;
  static_assert((kFetchRegisters + kGroups * kRegisters) * hopper::kGroupThreads <= 65536);
  /// Tiles of keys of which some query of a tile may see a part only.
  static constexpr int kMasked = 1 + (kRows - std::gcd(kRows, kKeys) + kKeys - 1) / kKeys;
  static_assert(kMasked <= 2);
  static constexpr unsigned kQueryBytes = kRows * kDim * 2, kKeyBytes = kKeys * kDim * 2;
};

template <class S>
struct alignas(hopper::kTileAlignment) Memory {
  std::byte q[S::kChunks][S::kRows * hopper::kRowBytes];
  std::byte k[S::kStages][S::kChunks][S::kKeys * hopper::kRowBytes];
  std::byte v[S::kStages][S::kChunks][S::kKeys * hopper::kRowBytes];
  std::byte o[S::kGroups][S::kChunks][64 * hopper::kRowBytes];
  hopper::Barrier q_full, q_empty, k_full[S::kStages], k_empty[S::kStages], v_full[S::kStages],
      v_empty[S::kStages];
  int tile;

  /// By one thread, before a barrier of the block. Of those that multiply, each warp arrives once.
  __device__ void init() {
    q_full.init(1);
    q_empty.init(S::kGroups * 4);
    for (int s = 0; s < S::kStages; ++s) {
      k_full[s].init(1);
      v_full[s].init(1);
      k_empty[s].init(S::kGroups * 4);
      v_empty[s].init(S::kGroups * 4);
    }
    hopper::fence_barriers();
  }
};

/// What the copy engine knows of the tensors.
struct Maps {
  CUtensorMap q, k, v, o;
};

/// Walks round a ring.
template <class S>
struct Position {
  int stage = 0;
  unsigned phase = 0;
  __device__ __forceinline__ void advance() {
    if (++stage < S::kStages) return;
    stage = 0;
    phase ^= 1;
  }
};

struct Task {
  TileOrder order;
  int seq, heads_a_key;
  bool causal;
  float scale;

  /// Tiles of keys that the queries of a block see.
  template <class S>
  __device__ __forceinline__ int steps(int block) const {
    const int end = causal ? min(seq, (block + 1) * S::kRows) : seq;
    return (end + S::kKeys - 1) / S::kKeys;
  }
};

/// By one thread. `next` gives the tiles of this block, one after the other, and a negative number at the
/// end.
template <class S, class Next>
__device__ __forceinline__ void fetch(Memory<S>& memory, const Maps& maps, const Task& task, Next next) {
  Position<S> keys, values;
  unsigned q_phase = 1;
  const auto load = [&](const CUtensorMap& map, auto& to, hopper::Barrier* full, hopper::Barrier* empty,
                        Position<S>& at, int matrix, int step) {
    empty[at.stage].wait(at.phase ^ 1);
    full[at.stage].arrive_expecting(S::kKeyBytes);
#pragma unroll
    for (int c = 0; c < S::kChunks; ++c)
      hopper::load_tile(to[at.stage][c], map, matrix, step * S::kKeys, c * hopper::kRowValues,
                        full[at.stage]);
    at.advance();
  };
  for (int index = next();; index = next()) {
    memory.q_empty.wait(q_phase);
    q_phase ^= 1;
    memory.tile = index;
    if (index < 0) return memory.q_full.arrive();
    const TileOrder::Tile tile = task.order.at(index);
    memory.q_full.arrive_expecting(S::kQueryBytes);
#pragma unroll
    for (int c = 0; c < S::kChunks; ++c)
      hopper::load_tile(memory.q[c], maps.q, tile.matrix, tile.block * S::kRows, c * hopper::kRowValues,
                        memory.q_full);
    // From the last tile of keys to the first: only the first to come has keys that are not seen. Values are
    // needed one step after their keys.
    const int matrix = tile.matrix / task.heads_a_key;
    for (int step = task.steps<S>(tile.block); --step >= 0;) {
      load(maps.k, memory.k, memory.k_full, memory.k_empty, keys, matrix, step);
      if (step + 1 < task.steps<S>(tile.block))
        load(maps.v, memory.v, memory.v_full, memory.v_empty, values, matrix, step + 1);
    }
    load(maps.v, memory.v, memory.v_full, memory.v_empty, values, matrix, 0);
  }
}

}  // namespace aisp::attention
