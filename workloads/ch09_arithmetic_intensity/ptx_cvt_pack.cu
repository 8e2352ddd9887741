// SPDX-License-Identifier: Apache-2.0
// Unpacking without conversions                                  chapter 9, arithmetic intensity
//
// The idea:          a small whole number is the low end of a half's mantissa: one instruction of logic makes
//                    two halves of a word, where casts take a shift, a mask and two conversions for each.
// What bounds it:    half a byte a weight: 537 M weights are 268 MB, 58 µs at the 4.63 TB/s an H200 reads,
//                    and 40 weights a clock for each multiprocessor. It starts 128 instructions of lanes a
//                    clock, three for each of them, but only 64 of logic, shifts and conversions. A weight
//                    that is cast takes four of those: 16 weights a clock.
// What to look for:  instructions for each weight, and how busy the pipe for logic and conversions is.
// Where it stops:    lop3 needs one instruction and an eighth for each weight, and about two with all that is
//                    done around it. It waits for memory, and reads at 60 % of its pace on an H200.
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
template <class Unpack, bool kWhole>
void launch(const Layer& layer, cudaStream_t stream) {
  const auto kernel = multiply<Unpack, kWhole>;
  static const cudaError_t allowed =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Memory));
  gpu::check(allowed, "allowing x its shared memory");
  static const unsigned most = gpu::processors();
  const unsigned blocks = std::min(gpu::blocks_for(layer.row_tiles, kTiles), most);
  kernel<<<blocks, kThreads, sizeof(Memory), stream>>>(layer);
  gpu::check_launch("multiplying packed weights");
}

template <class Unpack>
void by_tiles(const Call& call) {
  const Layer layer{reinterpret_cast<const uint4*>(call.input<std::uint32_t>(kWeights).data),
                    call.input<float>(kScales).data,
                    values_of(call.input<Half>(kX).data),
                    call.output<float>(kY).data,
                    static_cast<int>(call.params()["row_tiles"]),
                    static_cast<int>(call.params()["k_blocks"])};
  const bool whole = layer.k_blocks <= kColumnsHeld / kBlockColumns;
  (whole ? launch<Unpack, true> : launch<Unpack, false>)(layer, gpu::stream_of(call));
}

__device__ __forceinline__ std::uint32_t bits_of(__half2 two) {
  return *reinterpret_cast<std::uint32_t*>(&two);
}
/// The `i`-th weight of a word, as stored.
__device__ __forceinline__ int stored(std::uint32_t word, int i) {
  return static_cast<int>(word >> shift_of(i) & 15);
}

// ---- Baseline: shift, mask and cast, by way of float -----------------------------------------------
/// Two conversions to half that meet in a register the compiler makes one.
struct Casts {
  __device__ static std::uint32_t cast(std::uint32_t word, int i) {
    const auto half = [&](int at) { return __float2half_rn(static_cast<float>(stored(word, at) - 8)); };
    return bits_of(__halves2half2(half(i), half(i + 1)));
  }
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
    for (int r = 0; r < 4; ++r) a[r] = cast(word, r * 2);
  }
};

/// Informational: a whole number to half in one conversion, but there is none for two of them.
struct Direct {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
    for (int r = 0; r < 4; ++r)
      a[r] = bits_of(
          __halves2half2(__int2half_rn(stored(word, r * 2) - 8), __int2half_rn(stored(word, r * 2 + 1) - 8)));
  }
};

// ---- The idea --------------------------------------------------------------------------------------
// Whatever is done to two halves at once is done at half the price. That goes for the conversion of two
// floats and for taking 8 from both. And it goes for unpacking, if there is no conversion: a half has ten
// bits of fraction, so 1024 is 0x6400, and its lowest bit is worth 1. Four bits put there are the half 1024 +
// q; put four bits further up, 1024 + 16 q. Two weights that lie 16 bits apart become two halves in one
// instruction that masks and sets (lop3), and one of arithmetic on both, exact, leaves q - 8: less 1032, or
// divided by 16 and less 72. A shift by eight brings the other four weights there: nine instructions for
// eight weights.

// ---- Optimised 1: two at a time from the conversion on ---------------------------------------------
struct Packed {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
    const auto as_float = [&](int i) { return static_cast<float>(stored(word, i)); };
#pragma unroll
    for (int r = 0; r < 4; ++r)
      a[r] = bits_of(__hsub2(__floats2half2_rn(as_float(r * 2), as_float(r * 2 + 1)), __float2half2_rn(8)));
  }
};

// ---- Optimised 2: mantissas put together -----------------------------------------------------------
/// (word & mask) | 0x64006400: two halves.
__device__ __forceinline__ __half2 as_mantissas(std::uint32_t word, std::uint32_t mask) {
  std::uint32_t bits;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(bits) : "r"(word), "r"(mask), "r"(0x64006400u));
  return *reinterpret_cast<__half2*>(&bits);
}

struct Mantissas {
  __device__ static void halves(std::uint32_t word, std::uint32_t (&a)[4]) {
#pragma unroll
    for (int r = 0; r < 4; r += 2, word >>= 8) {
      a[r] = bits_of(__hsub2(as_mantissas(word, 0x000f000f), __float2half2_rn(1024 + 8)));
      a[r + 1] = bits_of(__hfma2(as_mantissas(word, 0x00f000f0), __float2half2_rn(1.0f / 16),
                                 __float2half2_rn(-1024.0f / 16 - 8)));
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
                 {.name = "direct",
                  .run = CallFunction(by_tiles<Direct>),
                  .note = "shift, mask, cast to half without a float",
                  .rung = Rung::informational,
                  .unavailable = gpu::needs_sm_90},
                 {.name = "packed",
                  .run = CallFunction(by_tiles<Packed>),
                  .note = "two floats to two halves, 8 less for both at once",
                  .rung = Rung::informational,
                  .unavailable = gpu::needs_sm_90},
                 {.name = "lop3",
                  .run = CallFunction(by_tiles<Mantissas>),
                  .note = "two weights put into mantissas at a time, no conversions",
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::ptx_cvt_pack
