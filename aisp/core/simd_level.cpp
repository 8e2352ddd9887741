// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/simd_level.h"

#include <algorithm>
#include <cstdlib>

#include "aisp/core/check.h"

namespace aisp {
namespace {

SimdLevel capped(SimdLevel level) {
  const char* cap = std::getenv("AISP_SIMD");
  if (cap == nullptr || *cap == '\0') return level;
  for (const SimdLevel known : {SimdLevel::none, SimdLevel::avx2, SimdLevel::avx512, SimdLevel::vnni})
    if (name_of(known) == cap) return std::min(level, known);
  // A cap with a typing error must not pass for one that was obeyed.
  AISP_CHECK(false, "AISP_SIMD in the environment is none, avx2, avx512 or vnni");
  return level;
}

}  // namespace

std::string_view name_of(SimdLevel level) {
  constexpr std::string_view kNames[] = {"none", "avx2", "avx512", "vnni"};
  return kNames[static_cast<std::size_t>(level)];
}

SimdLevel cpu_simd_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this may be asked while objects are constructed, before the compiler's own call
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
    return SimdLevel::none;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return SimdLevel::avx2;
  return __builtin_cpu_supports("avx512vnni") ? SimdLevel::vnni : SimdLevel::avx512;
#else
  return SimdLevel::none;
#endif
}

SimdLevel simd_level() {
  static const SimdLevel level = capped(cpu_simd_level());
  return level;
}

}  // namespace aisp
