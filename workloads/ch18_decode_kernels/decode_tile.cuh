// SPDX-License-Identifier: Apache-2.0
/// \file
/// One warp's share of a tile, 16 keys of it, for all queries of an item at once, by the tensor cores: keys
/// and values are read once for all.
#pragma once

#include "workloads/ch18_decode_kernels/decode.cuh"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/warp_mma.cuh"

namespace aisp::decode {

constexpr int kWarps = kTile / 16;                                ///< that share a tile
constexpr std::uint32_t kChunkBytes = kTile * hopper::kRowBytes;  ///< a tile's keys, 64 dimensions
constexpr std::uint32_t kTileBytes = 2 * kChunkBytes;

/// Keys and, later, dimensions are the 16 rows of a product, queries its eight columns: with queries as rows
/// half of every product would be of rows that nobody has.
class WarpState {
 public:
  /// Of an item's queries this lane has two pairs of neighbours in each 16 dimensions of query lane / 4.
  __device__ __forceinline__ void begin(const Bf16* q, int group) {
    const int query = lane() / 4;
#pragma unroll
    for (int s = 0; s < kDim / 16; ++s) {
      const auto* pairs = reinterpret_cast<const std::uint32_t*>(q + query * kDim + s * 16) + lane() % 4;
      query_[s][0] = query < group ? pairs[0] : 0;
      query_[s][1] = query < group ? pairs[4] : 0;
    }
    state_[0] = state_[1] = {kNothing, 0};
#pragma unroll
    for (auto& sums : out_) sums[0] = sums[1] = sums[2] = sums[3] = 0;
  }

  /// Keys `first` to `first` + 15 of the tiles at these shared addresses, of which `seen` (at most 16) count.
  __device__ __forceinline__ void attend(std::uint32_t keys, std::uint32_t values, int first, int seen) {
    float scores[2][4] = {};  // in two sums, so that chains are short
#pragma unroll
    for (int s = 0; s < kDim / 16; ++s) {
      std::uint32_t a[4];
      hopper::load_matrices(a, keys + s / 4 * kChunkBytes, first + lane() % 16, s % 4 * 2 + lane() / 16);
      hopper::multiply_16x8(scores[s % 2], a, query_[s][0], query_[s][1]);
    }
    float x[4];  // keys lane / 4 and eight further, each for queries 2 (lane % 4) and the next
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      x[i] = (scores[0][i] + scores[1][i]) * kScale;
      if (lane() / 4 + i / 2 * 8 >= seen) x[i] = -INFINITY;
    }
    float keep[2];
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      float most = fmaxf(state_[c].max, fmaxf(x[c], x[c + 2]));
#pragma unroll
      for (int distance = 4; distance < 32; distance *= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
      keep[c] = power_of_two(state_[c].max - most);
      x[c] = power_of_two(x[c] - most);
      x[c + 2] = power_of_two(x[c + 2] - most);
      state_[c] = {most, state_[c].sum * keep[c] + (x[c] + x[c + 2])};
    }
    const std::uint32_t b0 = hopper::turned_matrix(hopper::rounded_pair(x[0], x[1]));
    const std::uint32_t b1 = hopper::turned_matrix(hopper::rounded_pair(x[2], x[3]));
#pragma unroll
    for (int s = 0; s < kDim / 16; ++s) {
      std::uint32_t a[4];
      hopper::load_turned_matrices(a, values + s / 4 * kChunkBytes, first + lane() % 8 + lane() / 16 * 8,
                                   s % 4 * 2 + lane() / 8 % 2);
#pragma unroll
      for (int i = 0; i < 4; ++i) out_[s][i] *= keep[i % 2];
      hopper::multiply_16x8(out_[s], a, b0, b1);
    }
  }

  /// Into one warp's place of the block's Exchange.
  __device__ __forceinline__ void leave(float (*values)[kDim], Softened* softened) const {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      const int query = lane() % 4 * 2 + c;
      float sum = state_[c].sum;
#pragma unroll
      for (int distance = 4; distance < 32; distance *= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
      if (lane() < 4) softened[query] = {state_[c].max, sum};
#pragma unroll
      for (int s = 0; s < kDim / 16; ++s) {
        values[query][s * 16 + lane() / 4] = out_[s][c];
        values[query][s * 16 + lane() / 4 + 8] = out_[s][c + 2];
      }
    }
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  std::uint32_t query_[kDim / 16][2];
  float out_[kDim / 16][4];
  Softened state_[2];  // of queries 2 (lane % 4) and the next; the sums of this lane's keys alone
};

/// Where the warps of a block put their shares together.
struct Exchange {
  float values[kWarps][kGroup][kDim];
  Softened softened[kWarps][kGroup];
};

/// By kDim threads, each with one dimension of all queries, after a barrier: the block's share. `give` gets
/// (query, value, Softened).
template <class Give>
__device__ __forceinline__ void put_together(const Exchange& of, int group, int dimension, Give give) {
  for (int g = 0; g < group; ++g) {
    float max = of.softened[0][g].max;
#pragma unroll
    for (int w = 1; w < kWarps; ++w) max = fmaxf(max, of.softened[w][g].max);
    float sum = 0, value = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const float factor = power_of_two(of.softened[w][g].max - max);
      sum += of.softened[w][g].sum * factor;
      value += of.values[w][g][dimension] * factor;
    }
    give(g, value, Softened{max, sum});
  }
}

}  // namespace aisp::decode
