// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hopper's matrix instructions of four warps, with both operands in shared memory: the only ones that reach
/// the tensor cores' full rate there. One type for each, of the largest tile there is: 64 x 256.
#pragma once

#include <cstdint>

#include "aisp/device/cuda/peak_math_type.h"

namespace aisp::cuda {

/// How a tile lies in shared memory, as the instruction wants it described.
struct TileLayout {
  const char* name;
  std::uint64_t descriptor;  ///< all but the address
  unsigned a_step, b_step;   ///< from one slice of k to the next, in units of 16 bytes
};
/// Cores of 8 rows of 16 bytes, one after the other; a slice is 32 bytes of k wide.
constexpr TileLayout kPlainTile{"plain", std::uint64_t{128 / 16} << 16 | std::uint64_t{256 / 16} << 32,
                                64 * 32 / 16, 256 * 32 / 16};
/// Rows of 128 bytes whose 16-byte pieces are swapped around, as most kernels use it.
constexpr TileLayout kSwizzledTile{
    "swizzled", std::uint64_t{1} << 16 | std::uint64_t{1024 / 16} << 32 | std::uint64_t{1} << 62, 32 / 16,
    32 / 16};

constexpr int kSlices = 4;  // of 32 bytes of k: what a swizzled row of 128 bytes holds
constexpr int kSums = 128;  // accumulators of a thread
constexpr unsigned kATileBytes = 64 * 32 * kSlices;
constexpr unsigned kBTileBytes = 256 * 32 * kSlices;

// clang-format off
#define AISP_4(K, I) K(d[(I)]), K(d[(I) + 1]), K(d[(I) + 2]), K(d[(I) + 3])
#define AISP_16(K, I) AISP_4(K, I), AISP_4(K, (I) + 4), AISP_4(K, (I) + 8), AISP_4(K, (I) + 12)
#define AISP_64(K, I) AISP_16(K, I), AISP_16(K, (I) + 16), AISP_16(K, (I) + 32), AISP_16(K, (I) + 48)
#define AISP_SUMS \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
// clang-format on

/// A slice is 32 bytes of k whatever the type. FLAGS: signs and transpositions, where the type has them.
#define AISP_WGMMA(NAME, TYPE, SHAPE, K, SUFFIX, ACCUMULATOR, KIND, FLAGS)                                  \
  struct NAME {                                                                                             \
    using Sum = ACCUMULATOR;                                                                                \
    static constexpr MathType kType = TYPE;                                                                 \
    static constexpr double kOperations = 2.0 * 64 * 256 * K;                                               \
    static constexpr const char* kName = "wgmma " SHAPE;                                                    \
    __device__ static void multiply(Sum (&d)[kSums], std::uint64_t a, std::uint64_t b) {                    \
      asm volatile(                                                                                         \
          "{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"                                                    \
          "wgmma.mma_async.sync.aligned." SHAPE "." SUFFIX " " AISP_SUMS ", %128, %129, add" FLAGS ";\n}\n" \
          : AISP_64(KIND, 0), AISP_64(KIND, 64)                                                             \
          : "l"(a), "l"(b));                                                                                \
    }                                                                                                       \
  };

AISP_WGMMA(GroupF16, MathType::f16, "m64n256k16", 16, "f32.f16.f16", float, "+f", ", 1, 1, 0, 0")
AISP_WGMMA(GroupBf16, MathType::bf16, "m64n256k16", 16, "f32.bf16.bf16", float, "+f", ", 1, 1, 0, 0")
AISP_WGMMA(GroupTf32, MathType::tf32, "m64n256k8", 8, "f32.tf32.tf32", float, "+f", ", 1, 1")
AISP_WGMMA(GroupF8, MathType::f8e4m3, "m64n256k32", 32, "f32.e4m3.e4m3", float, "+f", ", 1, 1")
AISP_WGMMA(GroupI8, MathType::i8, "m64n256k32", 32, "s32.s8.s8", std::int32_t, "+r", "")
#undef AISP_WGMMA
#undef AISP_SUMS
#undef AISP_64
#undef AISP_16
#undef AISP_4

/// Every group of four warps multiplies its own tile of A with the block's tile of B, again and again. Empty
/// where the code may not use the instruction; DeviceFacts::wgmma says so beforehand.
template <class Mma, int kGroups>
__global__ void __launch_bounds__(kGroups * 128, 1)
    wgmma_rounds(const std::byte* random, unsigned rounds, TileLayout layout, typename Mma::Sum* sink) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte tiles[];  // B, then an A for each group
  constexpr unsigned bytes = kBTileBytes + kGroups * kATileBytes;
  for (unsigned i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16)
    *reinterpret_cast<uint4*>(tiles + i) = *reinterpret_cast<const uint4*>(random + i);
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
  __syncthreads();
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(tiles));
  const std::uint64_t b = layout.descriptor | (base >> 4);
  const std::uint64_t a = layout.descriptor | ((base + kBTileBytes + threadIdx.x / 128 * kATileBytes) >> 4);
  typename Mma::Sum d[kSums] = {};
  for (unsigned round = 0; round < rounds; ++round) {
    asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
#pragma unroll
    for (int k = 0; k < 2 * kSlices; ++k)
      Mma::multiply(d, a + k % kSlices * layout.a_step, b + k % kSlices * layout.b_step);
    asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
  }
  typename Mma::Sum sum = 0;
#pragma unroll
  for (int i = 0; i < kSums; ++i) sum += d[i];
  if (sum == static_cast<typename Mma::Sum>(-123456)) *sink = sum;
#endif
}

}  // namespace aisp::cuda
