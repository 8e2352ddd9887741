// SPDX-License-Identifier: Apache-2.0
// Unpacking without conversions                                  chapter 9, arithmetic intensity
//
// The idea:          a small whole number is the low end of a float's mantissa: one instruction of logic
//                    makes a float of it, where a cast takes a shift, a mask and a slow conversion.
// What bounds it:    half a byte a weight: 537 M weights are 268 MB, 58 µs at the 4.63 TB/s an H200 reads. A
//                    multiprocessor starts 128 instructions of lanes a clock: that leaves 3.5 for each
//                    weight. A cast takes five with the multiply-add, and conversions run at half the rate.
// What to look for:  instructions for each weight, and how busy the pipe for conversions is.
// Where it stops:    at memory. Larger batches do the same once a weight and multiply on the tensor cores.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::ptx_cvt_pack {
namespace {

enum { kWeights, kScales, kX };
enum { kY };
constexpr int kInWord = 8;                ///< weights of four bits
constexpr int kThreads = 256, kRows = 4;  ///< rows that a warp works on at a time, for the same values of x
constexpr int kWarps = kThreads / gpu::kLanes;

// ---- The problem: y[r] = scale[r] * sum of (q[r][c] - 8) x[c], eight q in a word, lowest bits first --
Problem problem(const Params& p) {
  const auto rows = p["rows"], words = p["words"];
  const auto count = static_cast<double>(rows * words * kInWord);
  return {
      .tensors = {input<std::uint32_t>("weights", {rows, words}, {integers(0, 0xffffffff)}),
                  input<float>("scales", {rows}, {uniform(0.5, 1.5)}),
                  input<float>("x", {words * kInWord}, {uniform(-1, 1), wide_range(-6, 6)}),
                  output<float>("y", {rows},
                                reduction(DType::f32, DType::f32, static_cast<double>(words * kInWord)))},
      .work = {.bytes = count / 2 + 8 * static_cast<double>(rows) + 4 * static_cast<double>(words * kInWord),
               .flops = 2 * count,
               .items = count,
               .traffic = Traffic::read}};
}

// ---- Reference: in double, and the magnitude of what was added -------------------------------------
void reference(const ReferenceCall& call) {
  const auto weights = call.input<std::uint32_t>(kWeights);
  const auto scales = call.input<float>(kScales), x = call.input<float>(kX);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t r = 0; r < scales.size; ++r) {
    for (std::int64_t c = 0; c < x.size; ++c) {
      const int q = static_cast<int>(weights[(r * x.size + c) / kInWord] >> (c % kInWord * 4) & 15);
      const double term = double{scales[r]} * (q - 8) * x[c];
      y.value[static_cast<std::size_t>(r)] += term;
      y.scale[static_cast<std::size_t>(r)] += std::fabs(term);
    }
  }
}

/// A block a row.
__global__ void multiply_in_double(const std::uint32_t* weights, const float* scales, const float* x,
                                   std::int64_t words, double* value, double* scale) {
  double sum = 0, magnitude = 0;
  for (std::int64_t c = threadIdx.x; c < words * kInWord; c += kThreads) {
    const std::uint32_t word = weights[blockIdx.x * words + c / kInWord];
    const double term =
        double{scales[blockIdx.x]} * (static_cast<int>(word >> (c % kInWord * 4) & 15) - 8) * x[c];
    sum += term;
    magnitude += fabs(term);
  }
  sum = gpu::block_sum<kThreads>(sum);
  __syncthreads();
  magnitude = gpu::block_sum<kThreads>(magnitude);
  if (threadIdx.x != 0) return;
  value[blockIdx.x] = sum;
  scale[blockIdx.x] = magnitude;
}

void reference_on_device(const DeviceReferenceCall& call) {
  multiply_in_double<<<static_cast<unsigned>(call.params["rows"]), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kWeights).data, call.input<float>(kScales).data, call.input<float>(kX).data,
      call.params["words"], call.outputs[kY].value, call.outputs[kY].scale);
  gpu::check_launch("multiplying by reference");
}

// ---- What all rungs share: a warp four rows, a word of each a lane ---------------------------------
/// Sum adds up what a row's words give: add(word, eight values of x), total(). Neighbouring lanes have
/// neighbouring words, so that their values of x lie side by side too: with four words a lane every load of x
/// touched 32 lines, and the caches were what everything waited for.
template <class Sum>
__global__ void __launch_bounds__(kThreads)
    multiply_rows(const std::uint32_t* weights, const float* scales, const float* x, std::int64_t rows,
                  int words, float* y) {
  const std::int64_t first = (std::int64_t{blockIdx.x} * kWarps + gpu::warp_index()) * kRows;
  if (first >= rows) return;
  const std::uint32_t* from[kRows];  // beyond the end nobody looks at the sum
#pragma unroll
  for (int r = 0; r < kRows; ++r) from[r] = weights + (first + r < rows ? first + r : first) * words;
  Sum sums[kRows];
#pragma unroll 4
  for (int w = gpu::lane_index(); w < words; w += gpu::kLanes) {
    std::uint32_t word[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) word[r] = __ldcs(from[r] + w);
    float at[kInWord];
#pragma unroll
    for (int i = 0; i < kInWord; i += 4)
      *reinterpret_cast<float4*>(&at[i]) =
          __ldg(reinterpret_cast<const float4*>(x + std::int64_t{w} * kInWord + i));
#pragma unroll
    for (int r = 0; r < kRows; ++r) sums[r].add(word[r], at);
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const float total = gpu::warp_sum(sums[r].total());
    if (gpu::lane_index() == 0 && first + r < rows) y[first + r] = total * scales[first + r];
  }
}

template <class Sum>
void by_rows(const Call& call) {
  const auto rows = call.params()["rows"], words = call.params()["words"];
  multiply_rows<Sum><<<gpu::blocks_for(rows, kWarps * kRows), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kWeights).data, call.input<float>(kScales).data, call.input<float>(kX).data,
      rows, static_cast<int>(words), call.output<float>(kY).data);
  gpu::check_launch("multiplying rows of packed weights");
}

// ---- Baseline: shift, mask and cast ----------------------------------------------------------------
struct Casts {
  float sum = 0;
  __device__ void add(std::uint32_t word, const float (&x)[kInWord]) {
#pragma unroll
    for (int i = 0; i < kInWord; ++i)
      sum = fmaf(static_cast<float>(static_cast<int>(word >> (4 * i) & 15) - 8), x[i], sum);
  }
  __device__ float total() const { return sum; }
};

// ---- The idea --------------------------------------------------------------------------------------
// The float 2^23 has a mantissa of 23 zeros, worth 1 at its lowest bit. Four bits of a word that lie at bit 4
// k, with the exponent of 2^23 put above them, are the float 2^23 + 16^k q: no shift, no conversion, one
// instruction that masks and sets (lop3). Subtracting 2^23 + 8 * 16^k, exactly, leaves 16^k (q - 8), and the
// power of 16 is taken out of whole sums in the end, so there is a sum for each k. A mantissa has room for
// five of them; a shift by 12 brings the other three there.

// ---- Optimised: mantissas put together -------------------------------------------------------------
/// (word & mask) | 2^23.
__device__ __forceinline__ float as_mantissa(std::uint32_t word, std::uint32_t mask) {
  std::uint32_t bits;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(bits) : "r"(word), "r"(mask), "r"(0x4b000000u));
  return __uint_as_float(bits);
}

struct Mantissas {
  static constexpr int kPlaces = 5;
  float sums[kPlaces] = {};
  __device__ void add(std::uint32_t word, const float (&x)[kInWord]) {
    const std::uint32_t upper = word >> 12;
#pragma unroll
    for (int i = 0; i < kInWord; ++i) {
      const int place = i < kPlaces ? i : i - 3;
      const float eight = 8388608.0f + static_cast<float>(8 << (4 * place));
      const float weight = as_mantissa(i < kPlaces ? word : upper, 15u << (4 * place)) - eight;
      sums[place] = fmaf(weight, x[i], sums[place]);
    }
  }
  __device__ float total() const {
    float sum = 0, share = 1;
#pragma unroll
    for (int k = 0; k < kPlaces; ++k, share /= 16) sum = fmaf(sums[k], share, sum);
    return sum;
  }
};

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/ptx_cvt_pack",
    .title = "Unpacking without conversions",
    .idea = "Put small numbers into a float's mantissa by logic instead of casting them.",
    .bound = Bound::memory,
    .tags = {"quantisation", "ptx", "gemv"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {65536}, .small = 141},
             {.name = "words", .values = {1024}, .small = 37}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "casts",
                  .run = CallFunction(by_rows<Casts>),
                  .note = "shift, mask and cast each weight"},
                 {.name = "mantissas",
                  .run = CallFunction(by_rows<Mantissas>),
                  .note = "weights put into mantissas by lop3, no conversions"}},
}};

}  // namespace
}  // namespace aisp::ptx_cvt_pack
