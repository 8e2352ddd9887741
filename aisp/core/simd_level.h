// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which vector instructions code may use, asked at run time, so that one binary runs on any x86-64.
///
///   if (simd_level() >= SimdLevel::avx2) return sum_avx2(x, n);
///
/// AISP_SIMD=none|avx2|avx512|vnni in the environment lowers the answer, so that what older processors run
/// can be tested and measured on newer ones; it never raises it. Ceilings are not affected: they are the
/// machine's.
#pragma once

#include <cstdint>
#include <string_view>

namespace aisp {

enum class SimdLevel : std::uint8_t {
  none,    ///< what every CPU of the architecture has
  avx2,    ///< AVX2 with FMA and F16C: every x86-64 server and desktop since 2013 (Intel) and 2015 (AMD)
  avx512,  ///< the subset of every server core that has AVX-512 at all: F, BW, DQ, VL
  vnni,    ///< dot products of bytes beside it: Intel servers since 2019, AMD since Zen 4
};
std::string_view name_of(SimdLevel level);

/// Of this CPU, or less where AISP_SIMD asks for less. Always the same in one process.
SimdLevel simd_level();
/// Of this CPU.
SimdLevel cpu_simd_level();

}  // namespace aisp
