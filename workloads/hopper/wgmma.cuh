// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hopper's matrix instructions of four warps: sums of 64 x N in registers, both inputs in shared memory, as
/// swizzled tiles (layout.h). Values are bf16, 8-bit floats (e4m3), or single precision of which the upper 19
/// bits are used (tf32); of all of them an instruction takes 32 bytes of k.
///
///   begin_products();
///   for (int s = 0; s < 4; ++s) multiply<256>(sums, a + s * kSliceStep, b + s * kSliceStep, s > 0);
///   end_products();
///   wait_for_products<0>(sums);       // until then neither sums nor tiles may be touched
///
/// `sums` must stay in registers: index it with constants alone, and keep everything inlined. If the compiler
/// cannot prove that nothing touches them meanwhile it waits after every instruction, and says so (C7510).
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "workloads/hopper/layout.h"

namespace aisp::hopper {

/// sums (+)= A B^T: A is 64 rows, B is kN rows, of 32 bytes of k. Without `add` the old sums are dropped.
template <int kN, class In = __nv_bfloat16>
__device__ void multiply(float (&sums)[kN / 2], std::uint64_t a, std::uint64_t b, bool add);

// clang-format off
#define AISP_SUMS_4(I) "+f"(d[(I)]), "+f"(d[(I) + 1]), "+f"(d[(I) + 2]), "+f"(d[(I) + 3])
#define AISP_SUMS_16(I) AISP_SUMS_4(I), AISP_SUMS_4((I) + 4), AISP_SUMS_4((I) + 8), AISP_SUMS_4((I) + 12)
#define AISP_SUMS_32(I) AISP_SUMS_16(I), AISP_SUMS_16((I) + 16)
#define AISP_SUMS_64(I) AISP_SUMS_32(I), AISP_SUMS_32((I) + 32)
#define AISP_NAMES_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define AISP_NAMES_64 AISP_NAMES_32 ", " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define AISP_NAMES_80 AISP_NAMES_64 ", " \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define AISP_NAMES_96 AISP_NAMES_80 ", " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define AISP_NAMES_128 AISP_NAMES_96 ", " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
// clang-format on

#define AISP_WGMMA(IN, SHAPE, TURNED, N, NAMES, A, B, ADD, ...)                                              \
  template <>                                                                                                \
  __device__ __forceinline__ void multiply<N, IN>(float(&d)[N / 2], std::uint64_t a, std::uint64_t b,        \
                                                  bool add) {                                                \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " ADD                                                 \
                 ", 0;\n"                                                                                    \
                 "wgmma.mma_async.sync.aligned.m64n" #N SHAPE " {" NAMES "}, " A ", " B ", add, 1, 1" TURNED \
                 ";\n}\n"                                                                                    \
                 : __VA_ARGS__                                                                               \
                 : "l"(a), "l"(b), "r"(static_cast<int>(add)));                                              \
  }
#define AISP_WGMMAS(IN, SHAPE, TURNED)                                                        \
  AISP_WGMMA(IN, SHAPE, TURNED, 64, AISP_NAMES_32, "%32", "%33", "%34", AISP_SUMS_32(0))      \
  AISP_WGMMA(IN, SHAPE, TURNED, 128, AISP_NAMES_64, "%64", "%65", "%66", AISP_SUMS_64(0))     \
  AISP_WGMMA(IN, SHAPE, TURNED, 256, AISP_NAMES_128, "%128", "%129", "%130", AISP_SUMS_64(0), \
             AISP_SUMS_64(64))

// Only inputs of 16 bits may be asked for turned: the others have no such operands.
AISP_WGMMAS(__nv_bfloat16, "k16.f32.bf16.bf16", ", 0, 0")
AISP_WGMMAS(__nv_fp8_e4m3, "k32.f32.e4m3.e4m3", "")
AISP_WGMMAS(float, "k8.f32.tf32.tf32", "")
// Attention's tiles of keys are as wide as registers allow.
AISP_WGMMA(__nv_bfloat16, "k16.f32.bf16.bf16", ", 0, 0", 160, AISP_NAMES_80, "%80", "%81", "%82",
           AISP_SUMS_64(0), AISP_SUMS_16(64))
AISP_WGMMA(__nv_bfloat16, "k16.f32.bf16.bf16", ", 0, 0", 192, AISP_NAMES_96, "%96", "%97", "%98",
           AISP_SUMS_64(0), AISP_SUMS_32(64))
#undef AISP_WGMMAS
#undef AISP_WGMMA
#undef AISP_NAMES_128
#undef AISP_NAMES_96
#undef AISP_NAMES_80
#undef AISP_NAMES_64
#undef AISP_NAMES_32
#undef AISP_SUMS_64
#undef AISP_SUMS_32
#undef AISP_SUMS_16
#undef AISP_SUMS_4

/// Registers that were written before are seen by the instructions that follow.
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" : : : "memory"); }
/// The instructions since the last call are one group.
__device__ __forceinline__ void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
}
/// What the compiler does with the sums before this stays before, and what it does after stays after. Between
/// initialising them and the first begin_products() too: it might put a register's zero where it is first
/// used.
template <int kSums>
__device__ __forceinline__ void settle(float (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) asm volatile("" : "+f"(sums[i]) : : "memory");
}
/// Until all but the latest `kGroups` groups are done, of this warp.
template <int kGroups, int kSums>
__device__ __forceinline__ void wait_for_products(float (&sums)[kSums]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(kGroups) : "memory");
  settle(sums);
}

}  // namespace aisp::hopper
