// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps of decoding (flash_decode_tile.h) on vectors of sixteen floats, and with products of 16-bit
/// floats.
#pragma once

#include "workloads/ch18_decode_kernels/flash_decode_avx2.h"
#include "workloads/simd.h"

#if defined(__x86_64__)

namespace aisp::decode {

struct Avx512Kernels {
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static __m512 sixteen(
      const BFloat16* from) {
    const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
  }
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static __m256 halves_of(__m512 x) {
    return _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps(x, 1));
  }
  /// Where four keys lie, asked for ahead; the last one again where there are fewer.
  static void four_from(const Tile& tile, int first, const BFloat16* (&key)[4]) {
    for (int n = 0; n < 4; ++n) {
      const int at = std::min(first + n, tile.count - 1);
      ask_ahead(tile.k + at * kDim, kLines);
      key[n] = tile.k + at * kDim;
    }
  }
  /// Of four keys, in the order of the weights.
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static void store_scores(
      FourQueries& s, int key, const __m512 (&sum)[4][kFour]) {
#pragma GCC unroll 2
    for (int pair = 0; pair < 4; pair += 2) {
      __m256 half[8];
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) half[i] = halves_of(sum[pair + i / kFour][i % kFour]);
      _mm256_store_ps(s.weights[key + pair],
                      _mm256_mul_ps(Avx2Kernels::sums_of(half), _mm256_set1_ps(kToExponent)));
    }
  }

  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static void score(FourQueries& s,
                                                                                           const Tile& tile) {
    for (int j = 0; j < tile.count; j += 4) {
      const BFloat16* key[4];
      four_from(tile, j, key);
      __m512 sum[4][kFour] = {};
      for (int d = 0; d < kDim; d += 16) {
        __m512 q[kFour];
#pragma GCC unroll 4
        for (int i = 0; i < kFour; ++i) q[i] = _mm512_load_ps(&s.q[i][d]);
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n) {
          const __m512 k = sixteen(key[n] + d);
#pragma GCC unroll 4
          for (int i = 0; i < kFour; ++i) sum[n][i] = _mm512_fmadd_ps(q[i], k, sum[n][i]);
        }
      }
      store_scores(s, j, sum);
    }
    forget_keys_beyond(s, tile.count);
  }

  static void soften(FourQueries& s) { Avx2Kernels::soften(s); }

  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) static void gather(
      FourQueries& s, const Tile& tile) {
    for (int d = 0; d < kDim; d += 64) {
      __m512 sum[kFour][4];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i)
        sum[i / 4][i % 4] =
            _mm512_mul_ps(_mm512_set1_ps(s.keep[i / 4]), _mm512_load_ps(&s.values[i / 4][d + i % 4 * 16]));
      for (int j = 0; j < tile.count; ++j) {
        ask_ahead(tile.v + j * kDim + d, 2);
        __m512 v[4];
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n) v[n] = sixteen(tile.v + j * kDim + d + 16 * n);
#pragma GCC unroll 4
        for (int i = 0; i < kFour; ++i) {
          const __m512 weight = _mm512_set1_ps(s.weights[j][i]);
#pragma GCC unroll 4
          for (int n = 0; n < 4; ++n) sum[i][n] = _mm512_fmadd_ps(weight, v[n], sum[i][n]);
        }
      }
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) _mm512_store_ps(&s.values[i / 4][d + i % 4 * 16], sum[i / 4][i % 4]);
    }
  }
};

/// An instruction multiplies 32 pairs of 16-bit floats and adds them two by two: nothing is widened before.
struct Bf16Kernels {
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma"))) static __m512i thirty_two(
      const BFloat16* from) {
    return _mm512_loadu_si512(from);
  }
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma"))) static __m512 dot(
      __m512 sum, __m512i a, __m512i b) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }

  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma"))) static void score(
      FourQueries& s, const Tile& tile) {
    for (int j = 0; j < tile.count; j += 4) {
      const BFloat16* key[4];
      Avx512Kernels::four_from(tile, j, key);
      __m512 sum[4][kFour] = {};
#pragma GCC unroll 4
      for (int d = 0; d < kDim; d += 32) {
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n) {
          const __m512i k = thirty_two(key[n] + d);
#pragma GCC unroll 4
          for (int i = 0; i < kFour; ++i) sum[n][i] = dot(sum[n][i], thirty_two(&s.q_bits[i][d]), k);
        }
      }
      Avx512Kernels::store_scores(s, j, sum);
    }
    forget_keys_beyond(s, tile.count);
  }

  static void soften(FourQueries& s) { Avx2Kernels::soften(s); }

  /// Two keys at a time: their numbers are woven into pairs, and so are the four queries' weights. Weaving
  /// works within quarters of a register: numbers 0 to 3 of each eight make the first vector, 4 to 7 the
  /// second.
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma"))) static void gather(
      FourQueries& s, const Tile& tile) {
    alignas(64) std::uint32_t pairs[kTileKeys / 2][kFour];
    weave_weights(s, pairs);
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const __m512i second = _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    for (int d = 0; d < kDim; d += 64) {
      __m512 sum[kFour][4] = {};
      for (int j = 0; j < tile.count; j += 2) {
        const BFloat16 *a = tile.v + j * kDim + d, *b = j + 1 < tile.count ? a + kDim : a;
        ask_ahead(a, 2);
        ask_ahead(b, 2);
        __m512i v[4];
#pragma GCC unroll 2
        for (int n = 0; n < 2; ++n) {
          const __m512i of_a = thirty_two(a + 32 * n), of_b = thirty_two(b + 32 * n);
          v[2 * n] = _mm512_unpacklo_epi16(of_a, of_b);
          v[2 * n + 1] = _mm512_unpackhi_epi16(of_a, of_b);
        }
#pragma GCC unroll 4
        for (int i = 0; i < kFour; ++i) {
          const __m512i weight = _mm512_set1_epi32(static_cast<int>(pairs[j / 2][i]));
#pragma GCC unroll 4
          for (int n = 0; n < 4; ++n) sum[i][n] = dot(sum[i][n], v[n], weight);
        }
      }
#pragma GCC unroll 4
      for (int i = 0; i < kFour; ++i) {
        const __m512 keep = _mm512_set1_ps(s.keep[i]);
#pragma GCC unroll 4
        for (int n = 0; n < 4; ++n) {
          const __m512 in_order =
              _mm512_permutex2var_ps(sum[i][n / 2 * 2], n % 2 == 0 ? first : second, sum[i][n / 2 * 2 + 1]);
          float* values = &s.values[i][d + 16 * n];
          _mm512_store_ps(values, _mm512_fmadd_ps(keep, _mm512_load_ps(values), in_order));
        }
      }
    }
  }

 private:
  /// Keys beyond the tile weigh nothing.
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma"))) static void weave_weights(
      const FourQueries& s, std::uint32_t (&pairs)[kTileKeys / 2][kFour]) {
    const __m256i weave =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    for (int j = 0; j < kTileKeys; j += 4) {
      const auto rounded = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(_mm512_load_ps(s.weights[j])));
      _mm256_store_si256(reinterpret_cast<__m256i*>(pairs[j / 2]), _mm256_shuffle_epi8(rounded, weave));
    }
  }
};

}  // namespace aisp::decode

#endif
