// SPDX-License-Identifier: Apache-2.0
/// \file
/// The three steps of decoding on a tile of keys, for four queries that share them, here in plain C++;
/// flash_decode_avx2.h and flash_decode_avx512.h have the others. Every set of kernels has the same members,
/// so that one loop serves them all:
///
///   Kernels::score(s, tile);    // s.weights = exponents of two, -infinity for keys beyond the tile
///   Kernels::soften(s);         // they become weights; s.keep says what older sums are worth
///   Kernels::gather(s, tile);   // s.values = keep * s.values + weights * the tile's values
///
/// Weights lie key by key, the four queries side by side: a query is a lane, and nothing of the softmax goes
/// across lanes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "workloads/ch18_decode_kernels/flash_decode.h"

namespace aisp::decode {

inline constexpr int kFour = 4;
/// 8 KB of keys and as much of values: both stay in the L1 from the first step to the last.
inline constexpr int kTileKeys = 32;

struct Tile {
  const BFloat16 *k, *v;
  int count;  ///< of keys
};

/// What is known of four queries after some of the keys.
struct alignas(64) FourQueries {
  float q[kFour][kDim];
  BFloat16 q_bits[kFour][kDim];
  float weights[kTileKeys][kFour];
  float values[kFour][kDim];
  float max[kFour], sum[kFour], keep[kFour];
};
/// log2(e) / sqrt(128): scores times this are exponents of two.
inline constexpr float kToExponent = 1.44269504f * 0.08838834764f;
inline constexpr float kBeyond = -std::numeric_limits<float>::infinity();

inline void forget_keys_beyond(FourQueries& s, int count) {
  std::fill(&s.weights[0][0] + count * kFour, &s.weights[0][0] + kTileKeys * kFour, kBeyond);
}

struct PlainKernels {
  static constexpr int kLanes = 8;  // independent sums: not the lesson here, but that of ch07/reduction

  static void score(FourQueries& s, const Tile& tile) {
    float key[kDim];
    for (int j = 0; j < tile.count; ++j) {
      for (int d = 0; d < kDim; ++d) key[d] = to_float(tile.k[j * kDim + d]);
      for (int i = 0; i < kFour; ++i) {
        float lanes[kLanes] = {};
        for (int d = 0; d < kDim; d += kLanes) {
          for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += s.q[i][d + lane] * key[d + lane];
        }
        float sum = 0;
        for (const float lane : lanes) sum += lane;
        s.weights[j][i] = sum * kToExponent;
      }
    }
    forget_keys_beyond(s, tile.count);
  }
  static void soften(FourQueries& s) {
    for (int i = 0; i < kFour; ++i) {
      float max = s.max[i];
      for (const auto& of_key : s.weights) max = std::max(max, of_key[i]);
      s.keep[i] = std::exp2(s.max[i] - max);
      s.max[i] = max;
      s.sum[i] *= s.keep[i];
      for (auto& of_key : s.weights) s.sum[i] += of_key[i] = std::exp2(of_key[i] - max);
    }
  }
  static void gather(FourQueries& s, const Tile& tile) {
    for (int i = 0; i < kFour; ++i) {
      for (float& value : s.values[i]) value *= s.keep[i];
    }
    float value[kDim];
    for (int j = 0; j < tile.count; ++j) {
      for (int d = 0; d < kDim; ++d) value[d] = to_float(tile.v[j * kDim + d]);
      for (int i = 0; i < kFour; ++i) {
        for (int d = 0; d < kDim; ++d) s.values[i][d] += s.weights[j][i] * value[d];
      }
    }
  }
};

}  // namespace aisp::decode
