// SPDX-License-Identifier: Apache-2.0
// LayerNorm                                                      chapter 9, arithmetic intensity
//
// The idea:          read each row once and keep it until its mean and its spread are known.
// What bounds it:    8 bytes and a few multiplications a value; gain and bias are shared by all rows and
//                    stay in the caches. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200 copies.
// What to look for:  bytes from memory and from the L2: more reads of the row; gain and bias for each.
// Where it stops:    at 0.97 of a copy's speed on an H200 for rows of 16 K values, 0.95 for 32 K and 0.90 to
//                    0.93 for 64 K: gain and bias take the L2 as many bytes as a row there, once a pair.
#include <algorithm>
#include <cmath>

#include "aisp/aisp.h"
#include "workloads/cuda_draw.cuh"
#include "workloads/cuda_row_teams.cuh"

namespace aisp::layernorm {
namespace {

enum { kX, kGain, kBias };
enum { kY };
constexpr double kEpsilon = 1e-5;
constexpr int kThreads = 256;

// ---- The problem: y[r][c] = gain[c] * (x[r][c] - mean_r) / sqrt(variance_r + epsilon) + bias[c] ----
/// Partial sums may be in float over this many terms: any team of threads splits a row further than that.
constexpr std::int64_t kFloatRun = 256;

std::int64_t rows_of(const Params& p) { return std::max<std::int64_t>(1, p["values"] / p["cols"]); }

/// Rows that lie far from zero, up to 30 times as far as they are wide: the mean of the squares less the
/// square of the mean would lose ten bits. A word for the row, then one for each value.
void draw_offset(const DrawContext& context, Rng& rng, const TensorView& x) {
  const auto cols = context.params["cols"];
  double offset = 0;
  for (std::int64_t i = 0; i < x.size; ++i) {
    if (i % cols == 0) offset = rng.uniform(-30, 30);
    x.set(i, offset + rng.uniform(-1, 1));
  }
}

/// The mean is off like any sum, in units of the sizes of its terms; so is the spread, by half of that. The
/// reference's scale says what that is beside the result. Then a handful of single roundings.
Tolerance norm_tolerance(std::int64_t cols) {
  Tolerance tolerance = reduction(DType::f32, DType::f32, static_cast<double>(std::min(cols, kFloatRun)));
  tolerance.scaled += 8 * unit_roundoff(DType::f32);
  tolerance.reason += ", then 8 roundings";
  return tolerance;
}

Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {.tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), drawn_by("offset", draw_offset)}),
                      input<float>("gain", {cols}, {uniform(0.5, 1.5)}),
                      input<float>("bias", {cols}, {uniform(-1, 1)}),
                      output<float>("y", {rows, cols}, norm_tolerance(cols))},
          .work = {.bytes = 8 * count + 8 * static_cast<double>(cols),
                   .items = static_cast<double>(rows),
                   .traffic = Traffic::copy}};
}

// ---- Reference: the definition, in double ----------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), gain = call.input<float>(kGain), bias = call.input<float>(kBias);
  const auto cols = call.params["cols"];
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t row = 0; row < x.size; row += cols) {
    double sum = 0, size = 0, squares = 0;
    for (std::int64_t c = 0; c < cols; ++c) {
      sum += x[row + c];
      size += std::fabs(x[row + c]);
    }
    const double mean = sum / static_cast<double>(cols);
    size /= static_cast<double>(cols);
    for (std::int64_t c = 0; c < cols; ++c) squares += (x[row + c] - mean) * (x[row + c] - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(cols) + kEpsilon);
    for (std::int64_t c = 0; c < cols; ++c) {
      const double term = (x[row + c] - mean) * inverse * gain[c];
      const auto at = static_cast<std::size_t>(row + c);
      y.value[at] = term + bias[c];
      y.scale[at] = std::fabs(term) + size * inverse * gain[c] + std::fabs(bias[c]);
    }
  }
}

__global__ void norm_in_double(const float* x, const float* gain, const float* bias, double* y, double* scale,
                               std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  double sum = 0, size = 0, squares = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    sum += in[c];
    size += fabs(double{in[c]});
  }
  const double mean = gpu::block_sum<kThreads>(sum) / static_cast<double>(cols);
  __syncthreads();
  size = gpu::block_sum<kThreads>(size) / static_cast<double>(cols);
  __syncthreads();
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) squares += (in[c] - mean) * (in[c] - mean);
  const double inverse = 1 / sqrt(gpu::block_sum<kThreads>(squares) / static_cast<double>(cols) + kEpsilon);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    const double term = (in[c] - mean) * inverse * gain[c];
    y[blockIdx.x * cols + c] = term + bias[c];
    scale[blockIdx.x * cols + c] = fabs(term) + size * inverse * gain[c] + fabs(double{bias[c]});
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  norm_in_double<<<static_cast<unsigned>(rows_of(call.params)), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kGain).data, call.input<float>(kBias).data,
      call.outputs[kY].value, call.outputs[kY].scale, call.params["cols"]);
  gpu::check_launch("LayerNorm by reference");
}

__global__ void fill_offset(float* x, std::int64_t count, std::int64_t cols, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::int64_t of_row = i / cols * (cols + 1);  // the row's own word stands before those of its values
  x[i] = static_cast<float>(gpu::uniform_at(seed, of_row, -30, 30) +
                            gpu::uniform_at(seed, of_row + 1 + i % cols, -1, 1));
}

void draw_offset_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill_offset<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, x.size, call.params["cols"], call.seed);
  gpu::check_launch("drawing rows with an offset");
}

// ---- Baseline: mean, spread, result: three passes, a block a row -----------------------------------
__device__ float inverse_root(float squares, std::int64_t cols) {
  return rsqrtf(squares / static_cast<float>(cols) + static_cast<float>(kEpsilon));
}

/// Row after row of Piece: float, or float4 where all rows begin and end at multiples of 16 bytes.
template <class Piece>
__global__ void three_passes(const Piece* x, const Piece* gain, const Piece* bias, Piece* y, int count) {
  const Piece* in = x + std::int64_t{blockIdx.x} * count;
  const int cols = count * static_cast<int>(sizeof(Piece) / sizeof(float));
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) sum += gpu::sum_of(in[i]);
  const float mean = gpu::block_sum<kThreads>(sum) / static_cast<float>(cols);
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads)
    squares += gpu::sum_over(in[i], [&](float value) { return (value - mean) * (value - mean); });
  const float inverse = inverse_root(gpu::block_sum<kThreads>(squares), cols);
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const Piece scaled = gpu::each_of(in[i], [&](float value) { return (value - mean) * inverse; });
    y[std::int64_t{blockIdx.x} * count + i] = gpu::product_and(scaled, gain[i], bias[i]);
  }
}

template <class Piece>
void in_passes(const Call& call) {
  const auto cols = call.params()["cols"];
  if (cols % static_cast<std::int64_t>(sizeof(Piece) / sizeof(float)) != 0) return in_passes<float>(call);
  const auto x = call.input<float>(kX);
  const auto pieces = [](const float* from) { return reinterpret_cast<const Piece*>(from); };
  three_passes<Piece><<<static_cast<unsigned>(x.size / cols), kThreads, 0, gpu::stream_of(call)>>>(
      pieces(x.data), pieces(call.input<float>(kGain).data), pieces(call.input<float>(kBias).data),
      reinterpret_cast<Piece*>(call.output<float>(kY).data), static_cast<int>(cols * 4 / sizeof(Piece)));
  gpu::check_launch("LayerNorm, a block a row");
}

// ---- The idea --------------------------------------------------------------------------------------
// As in ch09/rmsnorm: the row stays in the registers of a team until everything about it is known. The mean
// must be known before the deviations from it can be squared; one sweep for both, by sums of values and of
// their squares, cancels badly where the mean is large. So each warp sweeps its registers twice, by its own
// mean, and hands in a sum and the squares about that mean. From those follow the row's: squares about
// another mean are larger by the count times the square of the distance. The team meets once.

// ---- Optimised 1: sixteen bytes an access, still three passes --------------------------------------
// in_passes<float4>.

// ---- Optimised 2: one read -------------------------------------------------------------------------
/// Rows that a cluster takes at once, where the registers suffice: it reads gain and bias once for all of
/// them.
template <class Team, class Piece>
constexpr int kRows = Team::kCluster > 1 && Team::kThreads <= 256 && sizeof(Piece) == 16 ? 2 : 1;
/// Float4 of gain and bias that a thread asks for together with the rows, as in ch09/rmsnorm.
template <class Team>
constexpr int kAhead = Team::kCluster > 1 && Team::kThreads <= 256 ? 4 : 0;

/// Of some of a row's values: their sum, and the squares of their deviations from their own mean.
struct Spread {
  float sum, squares;
};

template <class Team, class Piece, bool kWhole>
__global__ void __launch_bounds__(Team::kThreads, gpu::resident<Team, Piece>())
    one_pass(const float* x, const float* gain, const float* bias, float* y, std::int64_t rows, int cols) {
  constexpr int kAtOnce = kRows<Team, Piece>;
  static_assert(kAtOnce == 1 || Team::kShared == 0, "rows would share their shared memory");
  const std::int64_t first = gpu::begin_row<Team>() * kAtOnce;
  // Behind the last row comes that row again: it is written twice, with the same values.
  const auto at = [&](int r) { return min(first + r, rows - 1) * cols; };
  const int count = cols * 4 / sizeof(Piece);
  gpu::Row<Team, Piece, kWhole> row[kAtOnce];
#pragma unroll
  for (int r = 0; r < kAtOnce; ++r) row[r].load(reinterpret_cast<const Piece*>(x + at(r)), count, 0);
  using Beside = gpu::Lookahead<Team, Piece, kAhead<Team>, kWhole>;
  Beside factors(reinterpret_cast<const Piece*>(gain), count),
      terms(reinterpret_cast<const Piece*>(bias), count);
  gpu::all_begun<Team>();

  const auto values_of = [&](int warp) {
    return static_cast<float>(gpu::pieces_of_warp<Team>(count, warp)) * (sizeof(Piece) / sizeof(float));
  };
  std::array<Spread, kAtOnce> mine;
#pragma unroll
  for (int r = 0; r < kAtOnce; ++r) {
    float sum = 0, squares = 0;
    row[r].look([&](Piece piece) { sum += gpu::sum_of(piece); });
    sum = gpu::warp_sum(sum);
    const float near = sum / fmaxf(1, values_of(gpu::team_member<Team>() / gpu::kLanes));
    row[r].look_inside([&](Piece piece) {
      squares += gpu::sum_over(piece, [&](float value) { return (value - near) * (value - near); });
    });
    mine[r] = {sum, gpu::warp_sum(squares)};
  }

  const auto* of_warp = gpu::share<Team>(mine);
  float mean[kAtOnce], inverse[kAtOnce];
#pragma unroll
  for (int r = 0; r < kAtOnce; ++r) {
    float sum = 0, squares = 0;
    for (int w = gpu::lane_index(); w < Team::kWarps; w += gpu::kLanes) sum += of_warp[w][r].sum;
    mean[r] = gpu::warp_sum(sum) / static_cast<float>(cols);
    for (int w = gpu::lane_index(); w < Team::kWarps; w += gpu::kLanes) {
      const float off = of_warp[w][r].sum / fmaxf(1, values_of(w)) - mean[r];
      squares += of_warp[w][r].squares + values_of(w) * off * off;
    }
    inverse[r] = inverse_root(gpu::warp_sum(squares), cols);
  }
#pragma unroll
  for (int p = 0; p < row[0].kPieces; ++p) {
    const Piece factor = factors.take(p), term = terms.take(p);
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) {
      row[r].put(reinterpret_cast<Piece*>(y + at(r)), p, [&](const Piece& piece) {
        const auto scaled = [&](float value) { return (value - mean[r]) * inverse[r]; };
        return gpu::product_and(gpu::each_of(piece, scaled), factor, term);
      });
    }
  }
}

using gpu::Team;
using RowTeams = gpu::Teams<Team<128, 2>, Team<64, 8>, Team<512, 2>, Team<512, 4, 0, 1, 3>,
                            Team<128, 8, 0, 4, 4>, Team<128, 8, 0, 8, 4>, Team<256, 8, 0, 8, 2>,
                            Team<256, 8, 0, 16, 2>, Team<512, 16, 0, 8, 1>, Team<512, 8, 8, 16>>;
/// Value by value, sixteen vectors a thread do not fit the registers.
template <class T>
using ByValue = std::conditional_t<(T::kVectors > 8), Team<512, 8, 8, 16>, T>;

void one_read(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto rows = x.size / cols;
  const auto launch = [&]<class T>(T) {
    const auto with = [&]<class Taken>(Taken, auto kernel, int at_once) {
      gpu::launch_rows<Taken>((rows + at_once - 1) / at_once, gpu::stream_of(call), kernel, x.data,
                              call.input<float>(kGain).data, call.input<float>(kBias).data,
                              call.output<float>(kY).data, rows, static_cast<int>(cols));
    };
    if (cols % 4 != 0) return with(ByValue<T>{}, one_pass<ByValue<T>, float, false>, kRows<T, float>);
    const bool whole = cols * 4 == T::kBytes;
    with(T{}, whole ? one_pass<T, float4, true> : one_pass<T, float4, false>, kRows<T, float4>);
  };
  if (!RowTeams::launch<float>(cols, launch)) in_passes<float4>(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/layernorm",
    .title = "LayerNorm",
    .idea = "Read each row once and keep it in registers until its mean and its spread are known.",
    .bound = Bound::memory,
    .tags = {"normalisation", "fusion", "registers"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "values", .values = {1 << 26}, .small = 5 * 205},
             {.name = "cols", .values = {1024, 4096, 16384, 65536}, .quick = {4096}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .device_draws = {{"offset", draw_offset_on_device}},
    .variants = {{.name = "three_pass",
                  .run = CallFunction(in_passes<float>),
                  .note = "mean, spread, result: a block a row, three reads"},
                 {.name = "vectors", .run = CallFunction(in_passes<float4>), .note = "16 bytes an access"},
                 {.name = "one_read",
                  .run = one_read,
                  .note = "the row in the registers of a warp, a block or a cluster",
                  .unavailable = RowTeams::missing<float>}},
}};

}  // namespace
}  // namespace aisp::layernorm
