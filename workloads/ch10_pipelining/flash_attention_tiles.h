// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two steps of tiled attention on one tile, in plain C++, AVX2 and AVX-512: a small matrix product and
/// the online softmax. Every set of kernels has the same two members, so that one loop serves them all:
///
///   Kernels::multiply(a, b, nullptr, c);   // c = a b
///   Kernels::multiply(a, b, keep, c);      // row r of c = keep[r] * row r of c + row r of a b
///   Kernels::soften(scores, state);        // scores become weights; state.keep says what older sums are
///   worth
///
/// Scores are in powers of two: queries were scaled by log2(e), which turns exp into exp2.
#pragma once

#include <cmath>
#include <limits>

#include "workloads/ch10_pipelining/flash_attention.h"
#include "workloads/exp2.h"
#include "workloads/simd.h"

namespace aisp::flash_attention {

/// 48 rows are 8 blocks of 6: 6 x 16 sums fill the 16 registers of AVX2, 6 x 64 the 32 of AVX-512. With 64
/// columns both products of attention have one shape, and all that a step touches (60 KB) stays in L2.
inline constexpr int kRows = 48, kColumns = 64, kBlock = 6;
static_assert(kColumns == kDim);

struct alignas(64) KeyTile {
  float at[kColumns * kDim];
};
struct alignas(64) QueryTile {
  float at[kRows * kDim];
};
/// What online softmax remembers per query.
struct alignas(64) RowState {
  float max[kRows];   ///< largest score so far
  float sum[kRows];   ///< sum of weights relative to it
  float keep[kRows];  ///< exp2(old max - new max)
};

struct PlainKernels {
  static void multiply(const float* a, const float* b, const float* keep, float* c) {
    for (int r = 0; r < kRows; ++r, a += kDim, c += kColumns) {
      for (int j = 0; j < kColumns; ++j) c[j] = keep != nullptr ? keep[r] * c[j] : 0.0f;
      for (int k = 0; k < kDim; ++k) {
        for (int j = 0; j < kColumns; ++j) c[j] += a[k] * b[k * kColumns + j];
      }
    }
  }
  static void soften(float* scores, RowState& state) {
    for (int r = 0; r < kRows; ++r, scores += kColumns) {
      const float max = std::max(state.max[r], *std::max_element(scores, scores + kColumns));
      state.keep[r] = std::exp2(state.max[r] - max);
      state.max[r] = max;
      state.sum[r] *= state.keep[r];
      for (int j = 0; j < kColumns; ++j) state.sum[r] += scores[j] = std::exp2(scores[j] - max);
    }
  }
};

#if defined(__x86_64__)

struct Avx2Kernels {
  __attribute__((target("avx2,fma"))) static void multiply(const float* a, const float* b, const float* keep,
                                                           float* c) {
    for (int r = 0; r < kRows; r += kBlock) {
      for (int j = 0; j < kColumns; j += 16) {
        __m256 sum[kBlock][2];
#pragma GCC unroll 6
        for (int i = 0; i < kBlock; ++i) {
          const float* at = c + (r + i) * kColumns + j;
          const __m256 kept = _mm256_set1_ps(keep != nullptr ? keep[r + i] : 0.0f);
          sum[i][0] = keep != nullptr ? _mm256_mul_ps(kept, _mm256_load_ps(at)) : kept;
          sum[i][1] = keep != nullptr ? _mm256_mul_ps(kept, _mm256_load_ps(at + 8)) : kept;
        }
        for (int k = 0; k < kDim; ++k) {
          const __m256 b0 = _mm256_load_ps(b + k * kColumns + j);
          const __m256 b1 = _mm256_load_ps(b + k * kColumns + j + 8);
#pragma GCC unroll 6
          for (int i = 0; i < kBlock; ++i) {
            const __m256 factor = _mm256_broadcast_ss(a + (r + i) * kDim + k);
            sum[i][0] = _mm256_fmadd_ps(factor, b0, sum[i][0]);
            sum[i][1] = _mm256_fmadd_ps(factor, b1, sum[i][1]);
          }
        }
#pragma GCC unroll 6
        for (int i = 0; i < kBlock; ++i) {
          _mm256_store_ps(c + (r + i) * kColumns + j, sum[i][0]);
          _mm256_store_ps(c + (r + i) * kColumns + j + 8, sum[i][1]);
        }
      }
    }
  }
  __attribute__((target("avx2,fma"))) static float max_of(__m256 x) {
    __m128 y = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_max_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_max_ss(y, _mm_movehdup_ps(y)));
  }
  __attribute__((target("avx2,fma"))) static float sum_of(__m256 x) {
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
  }
  __attribute__((target("avx2,fma"))) static void soften(float* scores, RowState& state) {
    alignas(64) float max[kRows];
    for (int r = 0; r < kRows; ++r) {
      __m256 m = _mm256_set1_ps(state.max[r]);
      for (int j = 0; j < kColumns; j += 8) m = _mm256_max_ps(m, _mm256_load_ps(scores + r * kColumns + j));
      max[r] = max_of(m);
    }
    for (int r = 0; r < kRows; r += 8) {
      const __m256 m = _mm256_load_ps(max + r);
      _mm256_store_ps(state.keep + r, simd::exp2(_mm256_sub_ps(_mm256_load_ps(state.max + r), m)));
      _mm256_store_ps(state.max + r, m);
    }
    for (int r = 0; r < kRows; ++r) {
      __m256 sum = _mm256_setzero_ps();
      for (int j = 0; j < kColumns; j += 8) {
        float* at = scores + r * kColumns + j;
        const __m256 weight = simd::exp2(_mm256_sub_ps(_mm256_load_ps(at), _mm256_set1_ps(max[r])));
        _mm256_store_ps(at, weight);
        sum = _mm256_add_ps(sum, weight);
      }
      state.sum[r] = state.sum[r] * state.keep[r] + sum_of(sum);
    }
  }
};

struct Avx512Kernels {
  __attribute__((target("avx512f"))) static void multiply(const float* a, const float* b, const float* keep,
                                                          float* c) {
    for (int r = 0; r < kRows; r += kBlock) {
      __m512 sum[kBlock][4];
#pragma GCC unroll 6
      for (int i = 0; i < kBlock; ++i) {
        const __m512 kept = _mm512_set1_ps(keep != nullptr ? keep[r + i] : 0.0f);
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
          const float* at = c + (r + i) * kColumns + 16 * j;
          sum[i][j] = keep != nullptr ? _mm512_mul_ps(kept, _mm512_load_ps(at)) : kept;
        }
      }
      for (int k = 0; k < kDim; ++k) {
        __m512 row[4];
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) row[j] = _mm512_load_ps(b + k * kColumns + 16 * j);
#pragma GCC unroll 6
        for (int i = 0; i < kBlock; ++i) {
          const __m512 factor = _mm512_set1_ps(a[(r + i) * kDim + k]);
#pragma GCC unroll 4
          for (int j = 0; j < 4; ++j) sum[i][j] = _mm512_fmadd_ps(factor, row[j], sum[i][j]);
        }
      }
#pragma GCC unroll 6
      for (int i = 0; i < kBlock; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) _mm512_store_ps(c + (r + i) * kColumns + 16 * j, sum[i][j]);
      }
    }
  }
  __attribute__((target("avx512f"))) static void soften(float* scores, RowState& state) {
    alignas(64) float max[kRows];
    for (int r = 0; r < kRows; ++r) {
      __m512 m = _mm512_set1_ps(state.max[r]);
      for (int j = 0; j < kColumns; j += 16) m = _mm512_max_ps(m, _mm512_load_ps(scores + r * kColumns + j));
      max[r] = _mm512_reduce_max_ps(m);
    }
    for (int r = 0; r < kRows; r += 16) {
      const __m512 m = _mm512_load_ps(max + r);
      _mm512_store_ps(state.keep + r, simd::exp2(_mm512_sub_ps(_mm512_load_ps(state.max + r), m)));
      _mm512_store_ps(state.max + r, m);
    }
    for (int r = 0; r < kRows; ++r) {
      __m512 sum = _mm512_setzero_ps();
      for (int j = 0; j < kColumns; j += 16) {
        float* at = scores + r * kColumns + j;
        const __m512 weight = simd::exp2(_mm512_sub_ps(_mm512_load_ps(at), _mm512_set1_ps(max[r])));
        _mm512_store_ps(at, weight);
        sum = _mm512_add_ps(sum, weight);
      }
      state.sum[r] = state.sum[r] * state.keep[r] + _mm512_reduce_add_ps(sum);
    }
  }
};

#endif

}  // namespace aisp::flash_attention
