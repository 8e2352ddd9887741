// SPDX-License-Identifier: Apache-2.0
/// \file
/// Activations as the vector rungs of ch16/int4_gemv want them: arranged once a call, for all rows.
#pragma once

#include <vector>

#include "workloads/ch16_inference/int4_gemv.h"
#include "workloads/simd.h"

#if defined(__x86_64__)

namespace aisp::int4_gemv {

constexpr std::int64_t kGroup = 8;  ///< blocks: their scales are one load

/// A cache line: what is loaded 64 bytes at a time must not lie across two.
struct alignas(64) Line {
  std::byte bytes[64];
};
/// Activations in the order in which the halves leave a vector register of `Width` blocks: first the 16 that
/// meet low halves, of each block in turn, then those that meet high halves; and -8 times their sums. Four
/// parts of a sum for each block where a register has four blocks; whole sums where it has two, those of a
/// group's even blocks first, for that is how eight_dots() returns them. Whole groups only.
struct Arranged {
  std::vector<Line> activation_lines, correction_lines;

  std::int8_t* activations(std::int64_t block) {
    return reinterpret_cast<std::int8_t*>(activation_lines.data()) + block * kBlock;
  }
  std::int32_t* correction_parts(std::int64_t block) { return corrections(block * 4); }
  std::int32_t* corrections(std::int64_t block) {
    return reinterpret_cast<std::int32_t*>(correction_lines.data()) + block;
  }
};
inline std::shared_ptr<void> prepare_arranged(const Setup& setup) {
  const auto groups = static_cast<std::size_t>(setup.params["blocks"] / kGroup);
  return std::make_shared<Arranged>(Arranged{std::vector<Line>(groups * kGroup * kBlock / sizeof(Line)),
                                             std::vector<Line>(groups * kGroup * 16 / sizeof(Line))});
}
template <int Width>
__attribute__((target("avx2"))) void arrange(const Layer& s, Arranged& arranged) {
  const __m128i ones8 = _mm_set1_epi8(1), ones16 = _mm_set1_epi16(1);
  for (std::int64_t b = 0; b < s.blocks / kGroup * kGroup; ++b) {
    const auto* x = reinterpret_cast<const __m128i*>(s.activations + b * kBlock);
    const __m128i low = _mm_loadu_si128(x), high = _mm_loadu_si128(x + 1);
    std::int8_t* place = arranged.activations(b / Width * Width) + b % Width * 16;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(place), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(place + 16 * Width), high);
    const __m128i pairs = _mm_add_epi16(_mm_maddubs_epi16(ones8, low), _mm_maddubs_epi16(ones8, high));
    const __m128i eights = _mm_slli_epi32(_mm_madd_epi16(pairs, ones16), 3);
    __m128i parts = _mm_sub_epi32(_mm_setzero_si128(), eights);
    if constexpr (Width == 4) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(arranged.correction_parts(b)), parts);
    } else {
      parts = _mm_hadd_epi32(parts, parts);
      parts = _mm_hadd_epi32(parts, parts);
      const std::int64_t in_group = b % 2 * 4 + b % kGroup / 2;
      *arranged.corrections(b / kGroup * kGroup + in_group) = _mm_cvtsi128_si32(parts);
    }
  }
}

}  // namespace aisp::int4_gemv

#endif
