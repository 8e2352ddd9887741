// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hopper's matrix instruction of four warps for tf32: sums of 64 x 128 in registers, A in registers, B in
/// shared memory, as a swizzled tile (layout.h) whose rows of 128 bytes are 32 values of k.
///
///   begin_products();
///   for (int s = 0; s < 4; ++s) multiply_tf32(sums, a[s], b + s * kSliceStep, s > 0);
///   end_products();
///   wait_for_products<0>(sums);       // until then neither sums, a nor the tile may be touched
///
/// A value of tf32 is a float with 10 bits of mantissa; the lower 13 must be zero.
#pragma once

#include <cstdint>

#include "workloads/hopper/wgmma.cuh"

namespace aisp::hopper {

/// A float as the sum of two values of tf32, in a float's bits: `upper` is rounded to the nearest, `rest` is
/// what that left, cut off; both together miss the float by 2^-23 of it at most. With cvt.rna.tf32, which
/// looks for infinities first, it would take nine instructions instead of four. An infinity has a rest that
/// is no number.
struct Tf32Parts {
  std::uint32_t upper, rest;
};
__device__ __forceinline__ Tf32Parts split_tf32(float value) {
  constexpr std::uint32_t kHalf = 1u << 12, kKept = ~((1u << 13) - 1);
  const std::uint32_t upper = (__float_as_uint(value) + kHalf) & kKept;
  return {upper, __float_as_uint(value - __uint_as_float(upper)) & kKept};
}

/// sums (+)= A B^T: A is 64 rows, B is 128 rows, of 8 values of k. Without `add` the old sums are dropped.
__device__ __forceinline__ void multiply_tf32(float (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b,
                                              bool add) {
  // clang-format off
#define AISP_SUMS_4(I) "+f"(d[(I)]), "+f"(d[(I) + 1]), "+f"(d[(I) + 2]), "+f"(d[(I) + 3])
#define AISP_SUMS_16(I) AISP_SUMS_4(I), AISP_SUMS_4((I) + 4), AISP_SUMS_4((I) + 8), AISP_SUMS_4((I) + 12)
  asm volatile(
      "{\n.reg .pred add;\nsetp.ne.b32 add, %69, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, add, 1, 1;\n}\n"
      : AISP_SUMS_16(0), AISP_SUMS_16(16), AISP_SUMS_16(32), AISP_SUMS_16(48)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)));
#undef AISP_SUMS_16
#undef AISP_SUMS_4
  // clang-format on
}

}  // namespace aisp::hopper
