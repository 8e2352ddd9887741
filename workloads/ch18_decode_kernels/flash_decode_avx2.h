// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps of decoding (flash_decode_tile.h) on vectors of eight floats.
#pragma once

#include "workloads/ch18_decode_kernels/flash_decode_tile.h"
#include "workloads/exp2.h"

#if defined(__x86_64__)

namespace aisp::decode {

/// What comes a tile on is asked into the L1, and what comes 32 KiB on into the L2: a core has few places for
/// lines on their way into its L1, and memory is too far to wait for in one of them. Keys are asked for while
/// keys are scored, values while values are added up, so that memory has something to do all the time. Beyond
/// the last key there is nothing to fetch, and no harm. Inlined always: what only prefetches has no effect in
/// GCC's eyes, and calls of it would be left out.
__attribute__((always_inline)) inline void ask_ahead(const BFloat16* here, int lines) {
  constexpr int kLine = 64, kTileBytes = kTileKeys * kDim * sizeof(BFloat16), kFar = 32 << 10;
  const char* at = reinterpret_cast<const char*>(here);
  for (int line = 0; line < lines; ++line) {
    _mm_prefetch(at + kFar + line * kLine, _MM_HINT_T1);
    _mm_prefetch(at + kTileBytes + line * kLine, _MM_HINT_T0);
  }
}
/// Of a key.
inline constexpr int kLines = kDim * sizeof(BFloat16) / 64;

struct Avx2Kernels {
  __attribute__((target("avx2,fma"))) static __m256 eight(const BFloat16* from) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
  }
  /// The sums of eight vectors, in their order.
  __attribute__((target("avx2,fma"))) static __m256 sums_of(const __m256 (&x)[8]) {
    const __m256 low = _mm256_hadd_ps(_mm256_hadd_ps(x[0], x[1]), _mm256_hadd_ps(x[2], x[3]));
    const __m256 high = _mm256_hadd_ps(_mm256_hadd_ps(x[4], x[5]), _mm256_hadd_ps(x[6], x[7]));
    return _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31));
  }

  /// Two keys at a time: eight sums that do not wait for each other, and each part of a query is loaded once
  /// for both.
  __attribute__((target("avx2,fma"))) static void score(FourQueries& s, const Tile& tile) {
    for (int j = 0; j < tile.count; j += 2) {
      const int second = std::min(j + 1, tile.count - 1);
      ask_ahead(tile.k + j * kDim, 2 * kLines);
      __m256 sum[8] = {};
      for (int d = 0; d < kDim; d += 8) {
        const __m256 a = eight(tile.k + j * kDim + d), b = eight(tile.k + second * kDim + d);
#pragma GCC unroll 4
        for (int i = 0; i < kFour; ++i) {
          const __m256 q = _mm256_load_ps(&s.q[i][d]);
          sum[i] = _mm256_fmadd_ps(q, a, sum[i]);
          sum[i + kFour] = _mm256_fmadd_ps(q, b, sum[i + kFour]);
        }
      }
      _mm256_store_ps(s.weights[j], _mm256_mul_ps(sums_of(sum), _mm256_set1_ps(kToExponent)));
    }
    forget_keys_beyond(s, tile.count);
  }

  __attribute__((target("avx2,fma"))) static void soften(FourQueries& s) {
    float* weights = &s.weights[0][0];
    const __m256 old = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(s.max));
    __m256 max = old;
    for (int i = 0; i < kTileKeys * kFour; i += 8) max = _mm256_max_ps(max, _mm256_load_ps(weights + i));
    max = _mm256_max_ps(max, _mm256_permute2f128_ps(max, max, 1));
    __m256 sum = _mm256_setzero_ps();
    for (int i = 0; i < kTileKeys * kFour; i += 8) {
      const __m256 weight = simd::exp2(_mm256_sub_ps(_mm256_load_ps(weights + i), max));
      _mm256_store_ps(weights + i, weight);
      sum = _mm256_add_ps(sum, weight);
    }
    const __m128 keep = _mm256_castps256_ps128(simd::exp2(_mm256_sub_ps(old, max)));
    const __m128 added = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    _mm_store_ps(s.max, _mm256_castps256_ps128(max));
    _mm_store_ps(s.keep, keep);
    _mm_store_ps(s.sum, _mm_fmadd_ps(_mm_load_ps(s.sum), keep, added));
  }

  /// Sixteen numbers of four queries are eight sums, which stay in registers for all keys of the tile.
  __attribute__((target("avx2,fma"))) static void gather(FourQueries& s, const Tile& tile) {
    for (int d = 0; d < kDim; d += 16) {
      __m256 sum[kFour][2];
#pragma GCC unroll 4
      for (int i = 0; i < kFour; ++i) {
        const __m256 keep = _mm256_set1_ps(s.keep[i]);
        sum[i][0] = _mm256_mul_ps(keep, _mm256_load_ps(&s.values[i][d]));
        sum[i][1] = _mm256_mul_ps(keep, _mm256_load_ps(&s.values[i][d + 8]));
      }
      for (int j = 0; j < tile.count; ++j) {
        const BFloat16* v = tile.v + j * kDim + d;
        if (d % 32 == 0) ask_ahead(v, 1);
        const __m256 a = eight(v), b = eight(v + 8);
#pragma GCC unroll 4
        for (int i = 0; i < kFour; ++i) {
          const __m256 weight = _mm256_broadcast_ss(&s.weights[j][i]);
          sum[i][0] = _mm256_fmadd_ps(weight, a, sum[i][0]);
          sum[i][1] = _mm256_fmadd_ps(weight, b, sum[i][1]);
        }
      }
#pragma GCC unroll 4
      for (int i = 0; i < kFour; ++i) {
        _mm256_store_ps(&s.values[i][d], sum[i][0]);
        _mm256_store_ps(&s.values[i][d + 8], sum[i][1]);
      }
    }
  }
};

}  // namespace aisp::decode

#endif
