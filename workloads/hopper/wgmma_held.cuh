// SPDX-License-Identifier: Apache-2.0
/// \file
/// wgmma with the first input in registers and the second turned: how weights that were just computed
/// multiply values that lie row after row, without a way through shared memory.
///
///   std::uint32_t weights[32];                              // 64 x 128, as rounded_pair() of the sums
///   begin_products();
///   for (int s = 0; s < 8; ++s) multiply_held<128>(sums, &weights[4 * s], v + s * kTurnedSliceStep, true);
///   end_products();
///
/// Sums of one product are the first input of the next as they are: of 16 neighbouring columns a thread holds
/// eight sums, and four registers of two are its part of a slice of 16 values of k.
#pragma once

#include <cstdint>

#include "workloads/hopper/layout.h"

namespace aisp::hopper {

/// sums (+)= A B: A is 64 rows of 16 values of k in registers, B is 16 rows of k with kN values each
/// (turned_descriptor). Neither `a` nor the sums may be touched before they were waited for.
template <int kN>
__device__ void multiply_held(float (&sums)[kN / 2], const std::uint32_t* a, std::uint64_t b, bool add);

// clang-format off
#define AISP_SUMS_4(I) "+f"(d[(I)]), "+f"(d[(I) + 1]), "+f"(d[(I) + 2]), "+f"(d[(I) + 3])
#define AISP_SUMS_16(I) AISP_SUMS_4(I), AISP_SUMS_4((I) + 4), AISP_SUMS_4((I) + 8), AISP_SUMS_4((I) + 12)
#define AISP_SUMS_32(I) AISP_SUMS_16(I), AISP_SUMS_16((I) + 16)
#define AISP_NAMES_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define AISP_NAMES_64 AISP_NAMES_32 ", " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
// clang-format on

#define AISP_WGMMA_HELD(N, NAMES, A, B, ADD, ...)                                                    \
  template <>                                                                                        \
  __device__ __forceinline__ void multiply_held<N>(float(&d)[N / 2], const std::uint32_t* a,         \
                                                   std::uint64_t b, bool add) {                      \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " ADD                                         \
                 ", 0;\n"                                                                            \
                 "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" NAMES "}, {" A "}, " B \
                 ", add, 1, 1, 1;\n}\n"                                                              \
                 : __VA_ARGS__                                                                       \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));  \
  }

AISP_WGMMA_HELD(64, AISP_NAMES_32, "%32, %33, %34, %35", "%36", "%37", AISP_SUMS_32(0))
AISP_WGMMA_HELD(128, AISP_NAMES_64, "%64, %65, %66, %67", "%68", "%69", AISP_SUMS_32(0), AISP_SUMS_32(32))
#undef AISP_WGMMA_HELD
#undef AISP_NAMES_64
#undef AISP_NAMES_32
#undef AISP_SUMS_32
#undef AISP_SUMS_16
#undef AISP_SUMS_4

}  // namespace aisp::hopper
