// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every rung of ch10/flash_attention_bf16 is asked, and the order in which blocks take tiles of
/// queries.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace aisp::attention {

using Bf16 = __nv_bfloat16;

/// o = softmax(q k^T / sqrt(dim)) v for every head of every sequence. Heads lie one behind the other, each a
/// row-major matrix of seq x dim; heads / kv_heads neighbouring heads of queries share one of keys and
/// values.
struct Attention {
  const Bf16 *q, *k, *v;
  Bf16* o;
  int batch, heads, kv_heads, seq, dim;
  bool causal;  ///< a query sees the keys up to its own position

  int q_matrices() const { return batch * heads; }
  int kv_matrices() const { return batch * kv_heads; }
  int heads_a_key() const { return heads / kv_heads; }
  /// Folded into one factor, so that 2^(score * factor - max * factor) is one multiplication and addition.
  float exponent_scale() const { return 1.44269504f / std::sqrt(static_cast<float>(dim)); }
};

/// Tiles of queries in the order in which they begin: `heads_at_once` heads together, of these the longest
/// first. Long ones at the end would leave most blocks idle; all heads at once would have more keys and
/// values on their way than the L2 cache holds, and every block would fetch its own from memory.
struct TileOrder {
  int matrices, blocks;  ///< heads of queries over all sequences; tiles of queries of each
  int at_once;

  struct Tile {
    int matrix, block;
  };
  __host__ __device__ int tiles() const { return matrices * blocks; }
  __host__ __device__ Tile at(int index) const {
    const int section = index / (at_once * blocks), first = section * at_once;
    const int heads = min_of(at_once, matrices - first), within = index - first * blocks;
    return {first + within % heads, blocks - 1 - within / heads};
  }

 private:
  __host__ __device__ static constexpr int min_of(int a, int b) { return a < b ? a : b; }
};

/// As many heads as have their keys and values in so much of the L2 cache.
inline TileOrder tile_order(const Attention& a, int rows) {
  constexpr std::int64_t kCacheBytes = 24 << 20;
  const std::int64_t each = std::int64_t{4} * a.seq * a.dim;
  const std::int64_t heads = std::max<std::int64_t>(1, kCacheBytes / each) * a.heads_a_key();
  return {a.q_matrices(), (a.seq + rows - 1) / rows,
          static_cast<int>(std::min<std::int64_t>(heads, a.q_matrices()))};
}

}  // namespace aisp::attention
