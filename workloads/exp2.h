// SPDX-License-Identifier: Apache-2.0
/// \file
/// Powers of two, eight or sixteen at a time, within two roundings: what a softmax spends its arithmetic on
/// once its scores have been scaled by log2(e).
#pragma once

#include "workloads/simd.h"

#if defined(__x86_64__)

namespace aisp::simd {

/// 2^f on [-1/2, 1/2] by its Taylor series: ln(2)^n / n!. Degree 7 leaves 5e-9, below a rounding.
inline constexpr float kExp2[] = {1.0f,
                                  6.931471806e-1f,
                                  2.402265070e-1f,
                                  5.550410866e-2f,
                                  9.618129108e-3f,
                                  1.333355815e-3f,
                                  1.540353039e-4f,
                                  1.525273380e-5f};
/// Below this a weight is nothing beside the largest, which is 1; it also stands for -infinity.
inline constexpr float kLowest = -126;

__attribute__((target("avx2,fma"))) inline __m256 exp2(__m256 x) {
  x = _mm256_max_ps(x, _mm256_set1_ps(kLowest));
  const __m256 whole = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 f = _mm256_sub_ps(x, whole);
  __m256 y = _mm256_set1_ps(kExp2[7]);
  for (int n = 6; n >= 0; --n) y = _mm256_fmadd_ps(y, f, _mm256_set1_ps(kExp2[n]));
  return _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(y), _mm256_slli_epi32(_mm256_cvtps_epi32(whole), 23)));
}

__attribute__((target("avx512f"))) inline __m512 exp2(__m512 x) {
  x = _mm512_max_ps(x, _mm512_set1_ps(kLowest));
  const __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 f = _mm512_sub_ps(x, whole);
  __m512 y = _mm512_set1_ps(kExp2[7]);
  for (int n = 6; n >= 0; --n) y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(kExp2[n]));
  return _mm512_scalef_ps(y, whole);
}

}  // namespace aisp::simd

#endif
