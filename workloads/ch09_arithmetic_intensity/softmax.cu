// SPDX-License-Identifier: Apache-2.0
// Softmax on a GPU                                               chapter 9, arithmetic intensity
//
// The idea:          read each row once and keep it where the arithmetic is until it is written.
// What bounds it:    8 bytes and one exp a value. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200
//                    copies; the exps, 16 a clock and multiprocessor, take 17 µs beside that. So it is the
//                    bytes, and every further read of a row costs half of the compulsory ones again wherever
//                    the row has left the caches meanwhile.
// What to look for:  bytes from memory and from the L2 against the length of a row: the longer the row, the
//                    less of it the caches still hold when the next pass begins.
// Where it stops:    at 0.97 to 1.00 of the speed of a copy on an H200 for rows of 1 K to 128 K values, at
//                    0.95 for 256 K and 0.86 for 512 K. Rows of more than 524,288 values are read twice.
#include "workloads/ch09_arithmetic_intensity/softmax.h"

#include <cfloat>

#include "aisp/core/ladder.h"
#include "workloads/cuda_draw.cuh"
#include "workloads/cuda_row_teams.cuh"

namespace aisp::softmax {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: softmax.h; reference and inputs on the device ------------------
/// The definition, a block a row.
__global__ void softmax_in_double(const float* x, double* y, std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  double* out = y + blockIdx.x * cols;
  float largest = -INFINITY;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, in[c]);
  const double max = gpu::block_max<kThreads>(largest);
  double mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += out[c] = exp(in[c] - max);
  const double sum = gpu::block_sum<kThreads>(mine);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) out[c] /= sum;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto rows = static_cast<unsigned>(rows_of(call.params));
  softmax_in_double<<<rows, kThreads, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data,
                                                                 call.outputs[kY].value, call.params["cols"]);
  gpu::check_launch("softmax by reference");
}

__global__ void fill_shifted(float* x, std::int64_t count, std::int64_t cols, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::int64_t of_row = i / cols * (cols + 1);  // the row's own word stands before those of its values
  x[i] = static_cast<float>(gpu::uniform_at(seed, of_row, -300, 300) +
                            gpu::uniform_at(seed, of_row + 1 + i % cols, -6, 6));
}

__global__ void fill_masked(float* x, std::int64_t count, std::int64_t cols, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const bool masked = random_word(seed, static_cast<std::uint64_t>(3 * i)) >> 62 == 0 && i % cols != 0;
  const double radius = sqrt(-2 * log(1 - gpu::uniform_at(seed, 3 * i + 1, 0, 1)));
  const double value = radius * cos(2 * 3.14159265358979323846 * gpu::uniform_at(seed, 3 * i + 2, 0, 1));
  x[i] = masked ? -INFINITY : static_cast<float>(3 * value);
}

template <void (*fill)(float*, std::int64_t, std::int64_t, std::uint64_t)>
void draw_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, x.size, call.params["cols"], call.seed);
  gpu::check_launch("drawing logits");
}

// ---- Baseline: three passes, a block a row ---------------------------------------------------------
__global__ void three_passes(const float* x, float* y, std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  float* out = y + blockIdx.x * cols;
  float largest = -INFINITY;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) largest = fmaxf(largest, in[c]);
  const float max = gpu::block_max<kThreads>(largest);
  float mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += expf(in[c] - max);
  const float factor = 1 / gpu::block_sum<kThreads>(mine);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) out[c] = expf(in[c] - max) * factor;
}

// ---- The idea --------------------------------------------------------------------------------------
// A sum relative to one maximum can be made relative to another: multiply it by exp(old - new). So the
// maximum need not be known before summing starts, and two passes become one (the online form).
//
// The last pass over memory goes too if the row stays where it was summed: in registers, 32 to 64 floats a
// thread. A long row takes a cluster of small blocks, whose warps leave a maximum and a sum each in the
// shared memory of all: the more of them a multiprocessor holds, the less often all of them wait. Shared
// memory holds as much again, but blocks that use it for their rows are slower, presumably because it is
// taken from the L1 cache, through which loads into registers pass: only rows of more than 128 K values need
// it.
//
// How a row is split matters as much. A multiprocessor should hold several rows, so that some load while
// others sum or store; so short rows get few threads with many values, one warp for 1024. And exp is cheap
// beside memory: it is taken twice, while values arrive and again while they leave, rather than once in
// between, when memory would wait.

// ---- Optimised 1: online, two passes ---------------------------------------------------------------
/// A sum of exp(x - max). Below all floats that occur, not minus infinity: the difference of two of those is
/// NaN.
struct Sum {
  float max, sum;
};
__device__ Sum no_sum() { return {-FLT_MAX, 0}; }

/// Of a warp: relative to the largest maximum.
__device__ Sum warp_total(Sum mine) {
  const float max = gpu::warp_max(mine.max);
  return {max, gpu::warp_sum(mine.sum * expf(mine.max - max))};
}

/// Of the sums that the warps left.
template <int kWarps>
__device__ Sum total_of(const Sum* of_warp) {
  Sum mine = no_sum();
  for (int w = gpu::lane_index(); w < kWarps; w += gpu::kLanes) {
    const float max = fmaxf(mine.max, of_warp[w].max);
    mine = {max, mine.sum * expf(mine.max - max) + of_warp[w].sum * expf(of_warp[w].max - max)};
  }
  return warp_total(mine);
}

__global__ void two_passes(const float* x, float* y, std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  float* out = y + blockIdx.x * cols;
  Sum mine = no_sum();
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    if (in[c] > mine.max) mine = {in[c], mine.sum * expf(mine.max - in[c])};
    mine.sum += expf(in[c] - mine.max);
  }
  using Block = gpu::Team<kThreads, 1>;
  const Sum all = total_of<Block::kWarps>(gpu::share<Block>(warp_total(mine)));
  const float factor = 1 / all.sum;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) out[c] = expf(in[c] - all.max) * factor;
}

template <void (*kernel)(const float*, float*, std::int64_t)>
void block_a_row(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  kernel<<<static_cast<unsigned>(x.size / cols), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.output<float>(kY).data, cols);
  gpu::check_launch("softmax, a block a row");
}

// ---- Optimised 2: one read -------------------------------------------------------------------------
/// In one pass over what the thread holds, in the order in which it arrives.
template <class Row>
__device__ Sum sum_online(const Row& row) {
  Sum mine = no_sum();
  row.look([&](const auto& piece) {
    const float max = fmaxf(mine.max, gpu::largest_of(piece));
    const float sum = gpu::sum_over(piece, [&](float value) { return expf(value - max); });
    mine = {max, mine.sum * expf(mine.max - max) + sum};
  });
  return warp_total(mine);
}

/// A warp that has the row to itself knows its maximum without waiting for others: nothing is rescaled.
template <class Row>
__device__ Sum sum_below_maximum(const Row& row) {
  float largest = -FLT_MAX;
  row.look([&](const auto& piece) { largest = fmaxf(largest, gpu::largest_of(piece)); });
  const float max = gpu::warp_max(largest);
  float sum = 0;
  row.look([&](const auto& piece) {
    sum += gpu::sum_over(piece, [&](float value) { return expf(value - max); });
  });
  return {max, gpu::warp_sum(sum)};
}

template <class Team, class Piece, bool kWhole>
__global__ void __launch_bounds__(Team::kThreads, gpu::resident<Team, Piece>())
    one_pass(const float* x, float* y, int cols) {
  const std::int64_t at = gpu::begin_row<Team>();
  gpu::Row<Team, Piece, kWhole> row;
  row.load(reinterpret_cast<const Piece*>(x + at * cols), cols * 4 / sizeof(Piece), -INFINITY);
  gpu::all_begun<Team>();

  Sum all;
  if constexpr (Team::kWarps == 1) {
    all = sum_below_maximum(row);
  } else {
    all = total_of<Team::kWarps>(gpu::share<Team>(sum_online(row)));
  }

  const float factor = 1 / all.sum;
  row.store(reinterpret_cast<Piece*>(y + at * cols), [&](Piece piece, int) {
    return gpu::each_of(piece, [&](float value) { return expf(value - all.max) * factor; });
  });
}

using gpu::Team;
using RowTeams = gpu::Teams<Team<32, 8>, Team<64, 8, 0, 1, 16>, Team<128, 4, 4>, Team<256, 8, 0, 1, 4>,
                            Team<128, 8, 0, 4, 8>, Team<128, 8, 0, 8, 8>, Team<128, 16, 0, 8, 5>,
                            Team<128, 16, 0, 16, 5>, Team<256, 12, 4, 16, 3>, Team<512, 8, 8, 16, 2>>;

void one_read(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto launch = [&]<class T>(T) {
    const auto with = [&](auto kernel) {
      gpu::launch_rows<T>(x.size / cols, gpu::stream_of(call), kernel, x.data, call.output<float>(kY).data,
                          static_cast<int>(cols));
    };
    if (cols % 4 != 0) return with(one_pass<T, float, false>);
    // Not to ask where the row ends gains 0.2 % where a warp is all there is.
    constexpr bool kAsk = T::kWarps > 1;
    const bool whole = cols * 4 == T::kBytes;
    with(whole && !kAsk ? one_pass<T, float4, !kAsk> : one_pass<T, float4, false>);
  };
  if (!RowTeams::launch<float>(cols, launch)) block_a_row<two_passes>(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch09/softmax",
    .device = DeviceKind::cuda,
    .bound = Bound::memory,
    .axes = {{.name = "values", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 5 * 205},
             {.name = "cols", .values = {1024, 4096, 16384, 65536}, .quick = {4096}, .small = 205}},
    .reference = reference_on_device,
    .draws = {{"shifted", DeviceDraw(draw_on_device<fill_shifted>)},
              {"masked", DeviceDraw(draw_on_device<fill_masked>)}},
    .variants = {{.name = "three_pass",
                  .run = CallFunction(block_a_row<three_passes>),
                  .note = "maximum, sum, result: a block a row, three reads"},
                 {.name = "online",
                  .run = CallFunction(block_a_row<two_passes>),
                  .note = "maximum and sum together, two reads"},
                 {.name = "one_read",
                  .run = one_read,
                  .note = "the row in the registers of a warp, a block or a cluster",
                  .unavailable = RowTeams::missing<float>}},
}};

}  // namespace
}  // namespace aisp::softmax
