// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every rung of ch18/flash_decode is asked, and how parts of a softmax over keys become the whole.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "workloads/ch18_decode_kernels/flash_decode.h"

namespace aisp::decode {

using Bf16 = __nv_bfloat16;
constexpr int kGroup = 8;  ///< queries that share keys and values, at most
constexpr int kTile = 64;  ///< keys

/// One new query of each head against all that was said before: an item is one sequence's head of keys and
/// values, context x 128 each, with `group` queries.
struct Decode {
  const Bf16 *q, *k, *v;
  Bf16* o;
  int items, group, context;
};

/// 2^x of the hardware.
__device__ __forceinline__ float power_of_two(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
/// log2(e) / sqrt(128): scores times this are exponents of two.
constexpr float kScale = 1.44269504f * 0.08838834764f;

/// What is known of one query after some of the keys: the largest exponent, the sum of 2^(exponent - max),
/// and so weighted values. Two of these are one again, whatever keys they are of.
struct Softened {
  float max, sum;
};
/// A part beyond the keys has this maximum, which is finite so that differences are numbers.
constexpr float kNothing = -1e30f;

/// Results of parts in memory: for each query its values and then its Softened.
struct Parts {
  float* values;       ///< [slot][group][128]
  Softened* softened;  ///< [slot][group]
};

}  // namespace aisp::decode
