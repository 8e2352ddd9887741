// SPDX-License-Identifier: Apache-2.0
// Softmax of 16-bit values                                       chapter 9, arithmetic intensity
//
// The idea:          store in 16 bits, compute in 32: half the bytes, and sums as good as before.
// What bounds it:    4 bytes a value, but as much arithmetic as for 8. 16384 rows of 8192 are 537 MB: 124 µs
//                    at the 4.32 TB/s an H200 copies. The exps, 16 a clock and multiprocessor, take 36 µs if
//                    taken once, and everything else about as long.
// What to look for:  instructions a value. Whatever was hidden behind 8 bytes need not be behind 4.
// Where it stops:    at 0.96 to 0.98 of the speed of a copy on an H200 for rows of 1 K to 16 K values. Longer
//                    ones are a cluster's, whose blocks wait for each other: 0.94 to 0.98 for 32 K and 0.92
//                    to 0.96 for 64 K, the more the more rows there are; 0.82 for 256 K, 0.61 for 1 M.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_row_teams.cuh"

namespace aisp::softmax_bf16 {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256;
using gpu::Bf16;

// ---- The problem -----------------------------------------------------------------------------------
std::int64_t rows_of(const Params& p) { return std::max<std::int64_t>(1, p["values"] / p["cols"]); }

/// As for 32-bit values: the sum, the argument of exp, exp and division, all in single precision. Then one
/// rounding to 16 bits.
Tolerance tolerance(double cols) {
  Tolerance result = reduction(DType::bf16, DType::f32, cols);
  result.relative += 24 * unit_roundoff(DType::f32);
  result.absolute = 1.2e-38;  // below the smallest normal value it may be flushed to zero
  return result;
}

/// Logits of 200 and more: exp() overflows unless the maximum is taken out first.
Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  return {.tensors = {input<BFloat16>("x", {rows, cols}, {uniform(-8, 8), uniform(200, 220)}),
                      output<BFloat16>("y", {rows, cols}, tolerance(static_cast<double>(cols)))},
          .work = {.bytes = 4 * static_cast<double>(rows * cols),
                   .items = static_cast<double>(rows),
                   .traffic = Traffic::copy}};
}

// ---- Reference: the definition, in double ----------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<BFloat16>(kX);
  const auto cols = call.params["cols"];
  for (std::int64_t row = 0; row < x.size; row += cols) {
    double* y = &call.outputs[kY].value[static_cast<std::size_t>(row)];
    double max = -HUGE_VAL, sum = 0;
    for (std::int64_t c = 0; c < cols; ++c) max = std::max<double>(max, to_float(x[row + c]));
    for (std::int64_t c = 0; c < cols; ++c) sum += y[c] = std::exp(to_float(x[row + c]) - max);
    for (std::int64_t c = 0; c < cols; ++c) y[c] /= sum;
  }
}

__device__ float largest_in(const Bf16* row, std::int64_t cols) {
  float largest = -INFINITY;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    largest = fmaxf(largest, __bfloat162float(row[c]));
  return gpu::block_max<kThreads>(largest);
}

__global__ void softmax_in_double(const Bf16* x, double* y, std::int64_t cols) {
  const Bf16* in = x + blockIdx.x * cols;
  double* out = y + blockIdx.x * cols;
  const double max = largest_in(in, cols);
  double mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    mine += out[c] = exp(__bfloat162float(in[c]) - max);
  const double sum = gpu::block_sum<kThreads>(mine);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) out[c] /= sum;
}

const Bf16* values_of(const BFloat16* x) { return reinterpret_cast<const Bf16*>(x); }
Bf16* values_of(BFloat16* y) { return reinterpret_cast<Bf16*>(y); }

void reference_on_device(const DeviceReferenceCall& call) {
  softmax_in_double<<<static_cast<unsigned>(rows_of(call.params)), kThreads, 0, gpu::stream_of(call)>>>(
      values_of(call.input<BFloat16>(kX).data), call.outputs[kY].value, call.params["cols"]);
  gpu::check_launch("softmax by reference");
}

// ---- Baseline: three passes, a block a row ---------------------------------------------------------
__global__ void three_passes(const Bf16* x, Bf16* y, std::int64_t cols) {
  const Bf16* in = x + blockIdx.x * cols;
  Bf16* out = y + blockIdx.x * cols;
  const float max = largest_in(in, cols);
  float mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += expf(__bfloat162float(in[c]) - max);
  const float factor = 1 / gpu::block_sum<kThreads>(mine);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    out[c] = __float2bfloat16_rn(expf(__bfloat162float(in[c]) - max) * factor);
}

void three_pass(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<BFloat16>(kX);
  three_passes<<<static_cast<unsigned>(x.size / cols), kThreads, 0, gpu::stream_of(call)>>>(
      values_of(x.data), values_of(call.output<BFloat16>(kY).data), cols);
  gpu::check_launch("softmax, a block a row");
}

// ---- The idea --------------------------------------------------------------------------------------
// Memory sees 16 bits, arithmetic 32. A thread takes eight values with one load, widens them in registers,
// and rounds once, when the result leaves. The row stays where it was read (softmax.cu has that lesson),
// still in 16 bits: twice the row fits, and no value is rounded that was not rounded already.
//
// With half the bytes there is half the time to compute in. The online form, which spares an exchange by
// rescaling sums as the maximum grows, takes 1.2 times as long here as finding the maximum first: two values
// an instruction, no exp. A warp finds its own; the sums of warps are put together by the online form once,
// in a single exchange. And exp(x - max) / sum is one power of two, 2^(x log2 e - (max log2 e + log2 sum)):
// a multiplication and addition in one instruction, and the exp of the hardware, good to 2^-22, which 16 bits
// cannot tell from better.

// ---- Optimised: one read, eight values a load ------------------------------------------------------
constexpr float kLog2E = 1.44269504f;

__device__ float power_of_two(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// A sum of 2^(x log2 e - max).
struct Sum {
  float max, sum;
};

/// Of the sums that the warps left: its logarithm.
template <int kWarps>
__device__ float log_total(const Sum* of_warp) {
  float max = -FLT_MAX, sum = 0;
  for (int w = gpu::lane_index(); w < kWarps; w += gpu::kLanes) max = fmaxf(max, of_warp[w].max);
  max = gpu::warp_max(max);
  for (int w = gpu::lane_index(); w < kWarps; w += gpu::kLanes)
    sum += of_warp[w].sum * power_of_two(of_warp[w].max - max);
  return max + __log2f(gpu::warp_sum(sum));
}

template <class Team, class Piece>
__global__ void __launch_bounds__(Team::kThreads, gpu::resident<Team, Piece>())
    one_pass(const Bf16* x, Bf16* y, int cols) {
  const std::int64_t at = gpu::begin_row<Team>();
  gpu::Row<Team, Piece> row;
  row.load(reinterpret_cast<const Piece*>(x + at * cols), cols * sizeof(Bf16) / sizeof(Piece), -INFINITY);
  gpu::all_begun<Team>();
  float largest = -FLT_MAX / 2;  // finite: a warp may have nothing, and the difference of infinities is NaN
  row.look([&](const Piece& piece) { largest = fmaxf(largest, gpu::largest_of(piece)); });
  const float max = gpu::warp_max(largest) * kLog2E;

  float mine = 0;
  row.look([&](const Piece& piece) {
    mine += gpu::sum_over(piece, [&](float value) { return power_of_two(fmaf(value, kLog2E, -max)); });
  });
  mine = gpu::warp_sum(mine);
  float whole;
  if constexpr (Team::kWarps == 1) {
    whole = max + __log2f(mine);
  } else {
    whole = log_total<Team::kWarps>(gpu::share<Team>(Sum{max, mine}));
  }
  row.store(reinterpret_cast<Piece*>(y + at * cols), [&](const Piece& piece, int) {
    return gpu::each_of(piece, [&](float value) { return power_of_two(fmaf(value, kLog2E, -whole)); });
  });
}

using gpu::Team;
// Small blocks, in clusters for long rows: while blocks wait for each other, others load. Six of 128 threads
// leave each thread 80 registers, and none is spilt; more blocks have fewer, and took 1.04 to 1.3 times as
// long.
using RowTeams = gpu::Teams<Team<32, 4>, Team<32, 8>, Team<64, 8>, Team<128, 8>, Team<256, 8>,
                            Team<128, 8, 0, 4, 6>, Team<128, 8, 0, 8, 6>, Team<128, 8, 0, 16, 6>,
                            Team<256, 8, 8, 8, 2>, Team<256, 8, 8, 16, 2>, Team<512, 8, 8, 16>>;

/// Longer rows that are no multiple of 16 bytes are read three times: value by value they do not fit the
/// registers.
constexpr std::int64_t kMostByValue = 1 << 18;

void one_read(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<BFloat16>(kX);
  const auto launch = [&]<class T>(T) {
    auto* kernel = one_pass<T, gpu::Bf16x8>;
    if constexpr (T::kBytes <= kMostByValue * 2) {
      if (cols % 8 != 0) kernel = one_pass<T, Bf16>;
    }
    gpu::launch_rows<T>(x.size / cols, gpu::stream_of(call), kernel, values_of(x.data),
                        values_of(call.output<BFloat16>(kY).data), static_cast<int>(cols));
  };
  if (cols % 8 != 0 && cols > kMostByValue) return three_pass(call);
  if (!RowTeams::launch<Bf16>(cols, launch)) three_pass(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/softmax_bf16",
    .title = "Softmax of 16-bit values",
    .idea = "Store in 16 bits, compute in 32, and read every row once.",
    .bound = Bound::memory,
    .tags = {"fusion", "precision"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "values", .values = {1 << 27}, .small = 5 * 205},
             {.name = "cols", .values = {1024, 8192, 65536}, .quick = {8192}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "three_pass", .run = three_pass, .note = "a value at a time, three reads"},
                 {.name = "one_read",
                  .run = one_read,
                  .note = "eight values a load, the row in registers",
                  .unavailable = RowTeams::missing<Bf16>}},
}};

}  // namespace
}  // namespace aisp::softmax_bf16
