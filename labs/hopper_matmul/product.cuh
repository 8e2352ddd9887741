// SPDX-License-Identifier: Apache-2.0
/// \file
/// D = A B^T, as all rungs of all types get it.
///
/// A is m x k, B is n x k, D is m x n, all row-major: both inputs have k contiguous, as a linear layer stores
/// its activations and its weights. Products are summed in single precision and rounded once.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace aisp::hopper_matmul {

using Bf16 = __nv_bfloat16;
using E4m3 = __nv_fp8_e4m3;

/// What the sums are multiplied by before they are rounded: one number for all of A and one for all of B, in
/// device memory, where whatever made A and B put them.
struct Scales {
  const float *a, *b;
};
/// None: nothing is multiplied.
struct Unscaled {};

template <class InType, class OutType = InType, class ScalesType = Unscaled>
struct ProductOf {
  using In = InType;
  using Out = OutType;
  const In* a;
  const In* b;
  Out* d;
  int m, n, k;
  ScalesType scales = {};

  /// 16-byte accesses and the copy engine need rows that begin at multiples of 16 bytes.
  bool aligned() const { return n * sizeof(Out) % 16 == 0 && k * sizeof(In) % 16 == 0; }
};

using Product = ProductOf<Bf16>;
using Tf32Product = ProductOf<float>;
using Fp8Product = ProductOf<E4m3, Bf16, Scales>;

/// What sums are multiplied by, to be read while there is something else to wait for.
__device__ __forceinline__ Unscaled sums_factor(const Unscaled&) { return {}; }
__device__ __forceinline__ float sums_factor(const Scales& scales) { return *scales.a * *scales.b; }

template <int kSums>
__device__ __forceinline__ void apply(Unscaled, float (&)[kSums]) {}
template <int kSums>
__device__ __forceinline__ void apply(float factor, float (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) sums[i] *= factor;
}

}  // namespace aisp::hopper_matmul
