// SPDX-License-Identifier: Apache-2.0
// Unpacking without conversions                                  chapter 9, arithmetic intensity
//
// The idea:          a small whole number is the low end of a half's mantissa: one instruction of logic makes
//                    two halves of a word, where casts take a shift, a mask and two conversions for each.
// What bounds it:    half a byte a weight: 537 M weights are 268 MB, 58 µs at the 4.63 TB/s an H200 reads,
//                    and 40 weights a clock for each multiprocessor. It starts 128 instructions of lanes a
//                    clock, three for each weight, and only 64 of logic, shifts and conversions. A cast
//                    weight takes five of those; the products by eight tokens leave the tensor cores idle
//                    most of the time.
// What to look for:  instructions for each weight, and how busy the pipe for logic and conversions is.
// Where it stops:    at memory, where a weight takes fewer instructions than there are until it comes.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/ch09_arithmetic_intensity/ptx_cvt_pack.h"
#include "workloads/ch09_arithmetic_intensity/ptx_cvt_pack_tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::ptx_cvt_pack {
namespace {

enum { kWeights, kScales, kX };
enum { kY };

// ---- The problem: y[r][b] = scale[r] * sum of (q[r][c] - 8) x[b][c], weights packed once, offline --
// ptx_cvt_pack.h says in which order: that in which the lanes of a warp need them.
Problem problem(const Params& p) {
  const auto tiles = p["row_tiles"], k_blocks = p["k_blocks"];
  const auto rows = tiles * kTileRows, columns = k_blocks * kBlockColumns;
  const auto count = static_cast<double>(rows * columns);
  return {
      .tensors = {input<std::uint32_t>("weights", {tiles, k_blocks, kBlockWords}, {integers(0, 0xffffffff)}),
                  input<float>("scales", {rows}, {uniform(0.5, 1.5)}),
                  input<Half>("x", {kTokens, columns}, {uniform(-1, 1), wide_range(-6, 6)}),
                  // Products of 4 by 11 bits are exact: what is left is the sum.
                  output<float>("y", {rows, kTokens},
                                reduction(DType::f32, DType::f32, static_cast<double>(columns)))},
      .work = {.bytes = count / 2 + 4.0 * (1 + kTokens) * static_cast<double>(rows) +
                        2.0 * kTokens * static_cast<double>(columns),
               .flops = 2 * kTokens * count,
               .items = count,
               .math = DType::f16,
               .traffic = Traffic::read}};
}

// ---- Reference: in double, and the magnitude of what was added -------------------------------------
void reference(const ReferenceCall& call) {
  const auto weights = call.input<std::uint32_t>(kWeights);
  const auto scales = call.input<float>(kScales);
  const auto x = call.input<Half>(kX);
  const auto columns = x.size / kTokens;
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t r = 0; r < scales.size; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const double weight = double{scales[r]} * (weight_at(weights.data, columns / kBlockColumns, r, c) - 8);
      for (std::int64_t b = 0; b < kTokens; ++b) {
        const double term = weight * to_float(x[b * columns + c]);
        y.value[static_cast<std::size_t>(r * kTokens + b)] += term;
        y.scale[static_cast<std::size_t>(r * kTokens + b)] += std::fabs(term);
      }
    }
  }
}

constexpr int kReferenceThreads = 256;

/// A block a result.
__global__ void multiply_in_double(const std::uint32_t* weights, const float* scales, const __half* x,
                                   std::int64_t k_blocks, double* value, double* scale) {
  const std::int64_t row = blockIdx.x, token = blockIdx.y, columns = k_blocks * kBlockColumns;
  double sum = 0, magnitude = 0;
  for (std::int64_t c = threadIdx.x; c < columns; c += kReferenceThreads) {
    const double weight = double{scales[row]} * (weight_at(weights, k_blocks, row, c) - 8);
    const double term = weight * __half2float(x[token * columns + c]);
    sum += term;
    magnitude += fabs(term);
  }
  sum = gpu::block_sum<kReferenceThreads>(sum);
  __syncthreads();
  magnitude = gpu::block_sum<kReferenceThreads>(magnitude);
  if (threadIdx.x != 0) return;
  value[row * kTokens + token] = sum;
  scale[row * kTokens + token] = magnitude;
}

const __half* values_of(const Half* values) { return reinterpret_cast<const __half*>(values); }

void reference_on_device(const DeviceReferenceCall& call) {
  const dim3 grid(static_cast<unsigned>(call.input<float>(kScales).size), kTokens);
  multiply_in_double<<<grid, kReferenceThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kWeights).data, call.input<float>(kScales).data,
      values_of(call.input<Half>(kX).data), call.params["k_blocks"], call.outputs[kY].value,
      call.outputs[kY].scale);
  gpu::check_launch("multiplying by reference");
}

// ---- What all rungs share: blocks of threads that stay (ptx_cvt_pack_tiles.cuh) --------------------
template <class Unpack>
void by_tiles(const Call& call) {
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply<Unpack>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Memory));
  gpu::check(allowed, "allowing x its shared memory");
  const auto tiles = call.params()["row_tiles"];
  static const unsigned most = gpu::processors();
  multiply<Unpack>
      <<<std::min(gpu::blocks_for(tiles, kTiles), most), kThreads, sizeof(Memory), gpu::stream_of(call)>>>(
          {reinterpret_cast<const uint4*>(call.input<std::uint32_t>(kWeights).data),
           call.input<float>(kScales).data, values_of(call.input<Half>(kX).data), call.output<float>(kY).data,
           tiles, static_cast<int>(call.params()["k_blocks"])});
  gpu::check_launch("multiplying packed weights");
}

// ---- Baseline: shift, mask and cast, by way of float -----------------------------------------------
/// The `i`-th weight of a lane, as a number.
__device__ float cast(std::uint32_t word, int i) {
  return static_cast<float>(static_cast<int>(word >> shift_of(i) & 15) - 8);
}
__device__ std::uint32_t bits_of(__half2 two) { return *reinterpret_cast<std::uint32_t*>(&two); }

struct Casts {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
    for (int i = 0; i < 8; i += 2)
      a[i / 2] = bits_of(__halves2half2(__float2half_rn(cast(word, i)), __float2half_rn(cast(word, i + 1))));
  }
};

// ---- The idea --------------------------------------------------------------------------------------
// A half has ten bits of fraction: 1024 is 0x6400, and each unit of its lowest bit is worth 1. Four bits put
// there are the half 1024 + q; put four bits further up, 1024 + 16 q. Two weights that lie 16 bits apart
// become two halves in one instruction that masks and sets (lop3), and one of arithmetic on both, exact,
// leaves q - 8: less 1032, or divided by 16 and less 72. A shift by eight brings the other four weights
// there: nine instructions for eight weights, and no conversion.

// ---- Optimised 1: two floats a conversion ----------------------------------------------------------
struct Packed {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
    for (int i = 0; i < 8; i += 2) a[i / 2] = bits_of(__floats2half2_rn(cast(word, i), cast(word, i + 1)));
  }
};

// ---- Optimised 2: mantissas put together -----------------------------------------------------------
/// (word & mask) | 0x64006400: two halves.
__device__ __half2 as_mantissas(std::uint32_t word, std::uint32_t mask) {
  std::uint32_t bits;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(bits) : "r"(word), "r"(mask), "r"(0x64006400u));
  return *reinterpret_cast<__half2*>(&bits);
}

struct Mantissas {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
    const __half2 up = __float2half2_rn(1032), sixteenth = __float2half2_rn(1.0f / 16),
                  down = __float2half2_rn(-72);
#pragma unroll
    for (int i = 0; i < 4; i += 2, word >>= 8) {
      a[i] = bits_of(__hsub2(as_mantissas(word, 0x000f000f), up));
      a[i + 1] = bits_of(__hfma2(as_mantissas(word, 0x00f000f0), sixteenth, down));
    }
  }
};

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/ptx_cvt_pack",
    .title = "Unpacking without conversions",
    .idea = "Put small numbers into the mantissas of halves by logic instead of casting them.",
    .bound = Bound::memory,
    .tags = {"quantisation", "ptx", "tensor cores"},
    .device = DeviceKind::cuda,
    // Small: a tile without a partner, and more columns than shared memory holds.
    .axes = {{.name = "row_tiles", .values = {4096}, .small = 3},
             {.name = "k_blocks", .values = {128}, .small = 133}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "casts",
                  .run = CallFunction(by_tiles<Casts>),
                  .note = "shift, mask, cast to float and to half",
                  .unavailable = gpu::needs_sm_90},
                 {.name = "packed",
                  .run = CallFunction(by_tiles<Packed>),
                  .note = "two floats to two halves in one conversion",
                  .unavailable = gpu::needs_sm_90},
                 {.name = "lop3",
                  .run = CallFunction(by_tiles<Mantissas>),
                  .note = "weights put into mantissas two at a time, no conversions",
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::ptx_cvt_pack
