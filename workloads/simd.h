// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which vector instructions this CPU has, asked at run time, so that one binary runs on any x86-64.
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

/// AVX2 with FMA and F16C: every x86-64 server and desktop since 2013 (Intel) and 2015 (AMD).
inline bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#else
  return false;
#endif
}

/// The AVX-512 subset of every server core that has AVX-512 at all: F, BW, DQ, VL.
inline bool has_avx512() {
#if defined(__x86_64__)
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

/// AVX-512 with dot products of bytes (VNNI): Intel servers since 2019, AMD since Zen 4.
inline bool has_vnni() {
#if defined(__x86_64__)
  return has_avx512() && __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

/// For Variant::unavailable.
inline std::optional<std::string> without_avx2(const Params& /*size*/) {
  if (has_avx2()) return std::nullopt;
  return "this CPU has no AVX2 with FMA";
}
inline std::optional<std::string> without_avx512(const Params& /*size*/) {
  if (has_avx512()) return std::nullopt;
  return "this CPU has no AVX-512 (F, BW, DQ, VL)";
}
inline std::optional<std::string> without_vnni(const Params& /*size*/) {
  if (has_vnni()) return std::nullopt;
  return "this CPU has no AVX-512 VNNI";
}

}  // namespace aisp::simd
