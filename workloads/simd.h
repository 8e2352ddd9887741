// SPDX-License-Identifier: Apache-2.0
/// \file
/// Vector instructions for workloads, asked for at run time (aisp/core/simd_level.h says how), so that one
/// binary runs on any x86-64.
///
///   __attribute__((target("avx2,fma"))) void add8(float* y, const float* x) { ... intrinsics ... }
///   {.name = "avx2", .run = avx2, .unavailable = simd::without_avx2}
///
/// A function carries the target attribute; a lambda inside it does not inherit it, so vector code is written
/// in named functions. Not a vector library: each lesson shows its own instructions.
#pragma once

#include <optional>
#include <string>

#include "aisp/core/params.h"
#include "aisp/core/simd_level.h"

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined registers in its own AVX-512 intrinsics for a mistake (its bug
// 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace aisp::simd {

inline bool has_avx2() { return simd_level() >= SimdLevel::avx2; }
inline bool has_avx512() { return simd_level() >= SimdLevel::avx512; }
inline bool has_vnni() { return simd_level() >= SimdLevel::vnni; }

/// For Variant::unavailable.
inline std::optional<std::string> without(SimdLevel needed, const char* name) {
  if (simd_level() >= needed) return std::nullopt;
  if (cpu_simd_level() >= needed) return std::string(name) + " is turned off by AISP_SIMD";
  return std::string("this CPU has no ") + name;
}
inline std::optional<std::string> without_avx2(const Params& /*size*/) {
  return without(SimdLevel::avx2, "AVX2 with FMA");
}
inline std::optional<std::string> without_avx512(const Params& /*size*/) {
  return without(SimdLevel::avx512, "AVX-512 (F, BW, DQ, VL)");
}
inline std::optional<std::string> without_vnni(const Params& /*size*/) {
  return without(SimdLevel::vnni, "AVX-512 VNNI");
}

}  // namespace aisp::simd
