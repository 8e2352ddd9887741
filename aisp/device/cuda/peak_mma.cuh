// SPDX-License-Identifier: Apache-2.0
/// \file
/// The matrix instructions of a warp, all in registers: one type for each, with what it takes and does.
/// On Hopper they reach about two thirds of the tensor cores' rate (peak_wgmma.cuh has the rest), but all
/// there is of f64.
#pragma once

#include <cstdint>

#include "aisp/device/cuda/peak_math_type.h"

namespace aisp::cuda {

/// D += A B with a tile of m x n x k, in 32-bit registers of packed inputs.
#define AISP_WARP_MMA(NAME, TYPE, ARCH, SHAPE, OPERATIONS, SUFFIX, ACCUMULATOR, KIND)           \
  struct NAME {                                                                                 \
    using Input = std::uint32_t;                                                                \
    using Sum = ACCUMULATOR;                                                                    \
    static constexpr MathType kType = TYPE;                                                     \
    static constexpr int kArch = ARCH, kA = 4, kB = 2, kD = 4;                                  \
    static constexpr double kOperations = OPERATIONS;                                           \
    static constexpr const char* kName = "mma " SHAPE;                                          \
    __device__ static void multiply(Sum (&d)[kD], const Input (&a)[kA], const Input (&b)[kB]) { \
      asm volatile("mma.sync.aligned." SHAPE ".row.col." SUFFIX                                 \
                   " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"           \
                   : KIND(d[0]), KIND(d[1]), KIND(d[2]), KIND(d[3])                             \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));         \
    }                                                                                           \
  };

AISP_WARP_MMA(WarpF16, MathType::f16, 800, "m16n8k16", 2.0 * 16 * 8 * 16, "f32.f16.f16.f32", float, "+f")
AISP_WARP_MMA(WarpBf16, MathType::bf16, 800, "m16n8k16", 2.0 * 16 * 8 * 16, "f32.bf16.bf16.f32", float, "+f")
AISP_WARP_MMA(WarpTf32, MathType::tf32, 800, "m16n8k8", 2.0 * 16 * 8 * 8, "f32.tf32.tf32.f32", float, "+f")
AISP_WARP_MMA(WarpI8, MathType::i8, 800, "m16n8k32", 2.0 * 16 * 8 * 32, "s32.s8.s8.s32", std::int32_t, "+r")
#undef AISP_WARP_MMA
// None for f8: Hopper has none, and what stands in for it (convert, multiply as f16, add) lets the compiler
// take the product out of the loop.

struct WarpF64 {
  using Input = double;
  using Sum = double;
  static constexpr MathType kType = MathType::f64;
  static constexpr int kArch = 800, kA = 1, kB = 1, kD = 2;
  static constexpr double kOperations = 2.0 * 8 * 8 * 4;
  static constexpr const char* kName = "mma m8n8k4";
  __device__ static void multiply(Sum (&d)[kD], const Input (&a)[kA], const Input (&b)[kB]) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]));
  }
};

struct WarpF64Wide {
  using Input = double;
  using Sum = double;
  static constexpr MathType kType = MathType::f64;
  static constexpr int kArch = 900, kA = 8, kB = 4, kD = 4;
  static constexpr double kOperations = 2.0 * 16 * 8 * 16;
  static constexpr const char* kName = "mma m16n8k16";
  __device__ static void multiply(Sum (&d)[kD], const Input (&a)[kA], const Input (&b)[kB]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
          "d"(b[1]), "d"(b[2]), "d"(b[3]));
  }
};

#ifdef __CUDA_ARCH__
constexpr int kCompiledFor = __CUDA_ARCH__;
#else
constexpr int kCompiledFor = 0;
#endif

/// Chains of products that do not depend on each other. Where the code is too old for the instruction the
/// kernel is empty; DeviceFacts::code says so beforehand.
template <class Mma, int kChains>
__global__ void mma_rounds(const std::byte* random, unsigned rounds, typename Mma::Sum* sink) {
  if constexpr (kCompiledFor >= Mma::kArch) {
    const auto* inputs = reinterpret_cast<const typename Mma::Input*>(random);
    typename Mma::Input a[Mma::kA], b[Mma::kB];
    for (int i = 0; i < Mma::kA; ++i) a[i] = inputs[i * blockDim.x + threadIdx.x];
    for (int i = 0; i < Mma::kB; ++i) b[i] = inputs[(Mma::kA + i) * blockDim.x + threadIdx.x];
    typename Mma::Sum d[kChains][Mma::kD] = {};
    for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) Mma::multiply(d[c], a, b);
    }
    typename Mma::Sum sum = 0;
    for (auto& chain : d) {
      for (auto& value : chain) sum += value;
    }
    if (sum == static_cast<typename Mma::Sum>(-123456)) *sink = sum;
  }
}

}  // namespace aisp::cuda
