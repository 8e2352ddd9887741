// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pieces of a row, what a thread loads and stores at once, and what is done with them, always in single
/// precision: float4, or eight bf16, where all rows begin and end at multiples of 16 bytes, else single
/// values.
///
///   squares += gpu::sum_of(gpu::product(piece, piece));
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace aisp::gpu {

using Bf16 = __nv_bfloat16;
struct alignas(16) Bf16x8 {
  __nv_bfloat162 pair[4];
};

__device__ inline float sum_of(float a) { return a; }
__device__ inline float sum_of(float4 a) { return (a.x + a.y) + (a.z + a.w); }
__device__ inline float largest_of(float a) { return a; }
__device__ inline float largest_of(float4 a) { return fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w)); }
__device__ inline float largest_of(Bf16 a) { return __bfloat162float(a); }
__device__ inline float largest_of(const Bf16x8& a) {
  const __nv_bfloat162 largest = __hmax2(__hmax2(a.pair[0], a.pair[1]), __hmax2(a.pair[2], a.pair[3]));
  return fmaxf(__low2float(largest), __high2float(largest));
}
__device__ inline float product(float a, float b) { return a * b; }
__device__ inline float4 product(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
__device__ inline float product_and(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline float4 product_and(float4 a, float4 b, float4 c) {
  return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
/// Of f(value) for every value.
template <class Function>
__device__ float sum_over(float a, Function f) {
  return f(a);
}
template <class Function>
__device__ float sum_over(float4 a, Function f) {
  return (f(a.x) + f(a.y)) + (f(a.z) + f(a.w));
}
template <class Function>
__device__ float sum_over(Bf16 a, Function f) {
  return f(__bfloat162float(a));
}
template <class Function>
__device__ float sum_over(const Bf16x8& a, Function f) {
  float sum = 0;
#pragma unroll
  for (const __nv_bfloat162 pair : a.pair) sum += f(__low2float(pair)) + f(__high2float(pair));
  return sum;
}
template <class Function>
__device__ float each_of(float a, Function f) {
  return f(a);
}
template <class Function>
__device__ float4 each_of(float4 a, Function f) {
  return {f(a.x), f(a.y), f(a.z), f(a.w)};
}
template <class Function>
__device__ Bf16 each_of(Bf16 a, Function f) {
  return __float2bfloat16_rn(f(__bfloat162float(a)));
}
template <class Function>
__device__ Bf16x8 each_of(const Bf16x8& a, Function f) {
  Bf16x8 result;
#pragma unroll
  for (int p = 0; p < 4; ++p)
    result.pair[p] = __floats2bfloat162_rn(f(__low2float(a.pair[p])), f(__high2float(a.pair[p])));
  return result;
}
/// A piece of nothing but this value.
template <class Piece>
__device__ Piece filled(float value) {
  return each_of(Piece{}, [=](float) { return value; });
}

}  // namespace aisp::gpu
