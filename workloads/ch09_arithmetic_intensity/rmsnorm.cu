// SPDX-License-Identifier: Apache-2.0
// RMSNorm                                                        chapter 9, arithmetic intensity
//
// The idea:          read each row once and keep it until its norm is known.
// What bounds it:    8 bytes and a few multiplications a value; the gain is shared by all rows and stays in
//                    the caches. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200 copies.
// What to look for:  bytes from memory and from the L2: a second read of the row, and one of the gain for
//                    every row.
// Where it stops:    at 0.97 to 0.99 of the speed of a copy on an H200 for rows of 1 K to 64 K values. Of
//                    longer rows too few are on the device at once.
#include <algorithm>
#include <cmath>

#include "aisp/aisp.h"
#include "workloads/cuda_row_teams.cuh"

namespace aisp::rmsnorm {
namespace {

enum { kX, kGain };
enum { kY };
constexpr double kEpsilon = 1e-5;
constexpr int kThreads = 256;

// ---- The problem: y[r][c] = gain[c] * x[r][c] / sqrt(mean_r(x^2) + epsilon), for each row r --------
/// Partial sums may be kept in float over this many terms: any team of threads splits a row further than
/// that.
constexpr std::int64_t kFloatRun = 256;

std::int64_t rows_of(const Params& p) { return std::max<std::int64_t>(1, p["values"] / p["cols"]); }

/// Rows of very different sizes, 2^-12 to 2^12: in the smallest epsilon decides, in most others it is
/// nothing. A word for the row, then one for each value.
void draw_uneven(const DrawContext& context, Rng& rng, const TensorView& x) {
  const auto cols = context.params["cols"];
  double size = 1;
  for (std::int64_t i = 0; i < x.size; ++i) {
    if (i % cols == 0) size = std::ldexp(1.0, static_cast<int>(rng.below(25)) - 12);
    x.set(i, size * rng.uniform(-1, 1));
  }
}

/// A mean of squares, whose root has half the relative error, then a handful of single roundings.
Tolerance norm_tolerance(std::int64_t cols) {
  Tolerance tolerance = reduction(DType::f32, DType::f32, static_cast<double>(std::min(cols, kFloatRun)));
  tolerance.scaled /= 2;
  tolerance.relative = 8 * unit_roundoff(DType::f32);
  tolerance.reason = "root of a " + tolerance.reason + ", then 8 roundings";
  return tolerance;
}

Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {.tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), drawn_by("uneven", draw_uneven)}),
                      input<float>("gain", {cols}, {uniform(0.5, 1.5)}),
                      output<float>("y", {rows, cols}, norm_tolerance(cols))},
          .work = {.bytes = 8 * count + 4 * static_cast<double>(cols),
                   .items = static_cast<double>(rows),
                   .traffic = Traffic::copy}};
}

// ---- Reference: the definition, in double ----------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), gain = call.input<float>(kGain);
  const auto cols = call.params["cols"];
  for (std::int64_t row = 0; row < x.size; row += cols) {
    double squares = 0;
    for (std::int64_t c = 0; c < cols; ++c) squares += double{x[row + c]} * x[row + c];
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(cols) + kEpsilon);
    for (std::int64_t c = 0; c < cols; ++c)
      call.outputs[kY].value[static_cast<std::size_t>(row + c)] = gain[c] * inverse * x[row + c];
  }
}

__global__ void norm_in_double(const float* x, const float* gain, double* y, std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  double mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += double{in[c]} * in[c];
  const double inverse = 1 / sqrt(gpu::block_sum<kThreads>(mine) / static_cast<double>(cols) + kEpsilon);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    y[blockIdx.x * cols + c] = gain[c] * inverse * in[c];
}

void reference_on_device(const DeviceReferenceCall& call) {
  norm_in_double<<<static_cast<unsigned>(rows_of(call.params)), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kGain).data, call.outputs[kY].value, call.params["cols"]);
  gpu::check_launch("RMSNorm by reference");
}

__global__ void fill_uneven(float* x, std::int64_t count, std::int64_t cols, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const auto of_row = static_cast<std::uint64_t>(i / cols * (cols + 1));
  const int exponent = static_cast<int>(__umul64hi(random_word(seed, of_row), 25)) - 12;
  const std::uint64_t word = random_word(seed, of_row + 1 + static_cast<std::uint64_t>(i % cols));
  x[i] = static_cast<float>(ldexp(2 * (static_cast<double>(word >> 11) * 0x1p-53) - 1, exponent));
}

void draw_uneven_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill_uneven<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, x.size, call.params["cols"], call.seed);
  gpu::check_launch("drawing uneven rows");
}

// ---- Baseline: two passes, a block a row -----------------------------------------------------------
__device__ float inverse_root(float squares, std::int64_t cols) {
  return rsqrtf(squares / static_cast<float>(cols) + static_cast<float>(kEpsilon));
}

__global__ void two_passes(const float* x, const float* gain, float* y, std::int64_t cols) {
  const float* in = x + blockIdx.x * cols;
  float* out = y + blockIdx.x * cols;
  float mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += in[c] * in[c];
  const float inverse = inverse_root(gpu::block_sum<kThreads>(mine), cols);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) out[c] = in[c] * inverse * gain[c];
}

void two_pass(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  two_passes<<<static_cast<unsigned>(x.size / cols), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.input<float>(kGain).data, call.output<float>(kY).data, cols);
  gpu::check_launch("RMSNorm, a block a row");
}

// ---- The idea --------------------------------------------------------------------------------------
// As in ch09/softmax: the row stays in the registers and the shared memory of a team while it adds up the
// squares, a warp by shuffles, a block through its shared memory, a cluster through that of all its blocks.
// Then every value is multiplied and written from where it is.
//
// The gain of a long row is a second row, from the L2 instead of memory, and late if it is asked for only
// when it is needed. Asked for together with the row it waits in registers as well: 0.98 of a copy's speed,
// where half of the row in shared memory and the gain in time for the stores had 0.92.

// ---- Optimised 1: sixteen bytes an access, still two passes ----------------------------------------
/// Rows that begin and end at multiples of 16 bytes.
__global__ void two_wide_passes(const float4* x, const float4* gain, float4* y, int vectors) {
  const float4* in = x + std::int64_t{blockIdx.x} * vectors;
  float4* out = y + std::int64_t{blockIdx.x} * vectors;
  float mine = 0;
  for (int v = threadIdx.x; v < vectors; v += kThreads) {
    const float4 a = in[v];
    mine += (a.x * a.x + a.y * a.y) + (a.z * a.z + a.w * a.w);
  }
  const float inverse = inverse_root(gpu::block_sum<kThreads>(mine), 4 * vectors);
  for (int v = threadIdx.x; v < vectors; v += kThreads) {
    const float4 a = in[v], g = gain[v];
    out[v] = {a.x * inverse * g.x, a.y * inverse * g.y, a.z * inverse * g.z, a.w * inverse * g.w};
  }
}

void vectors(const Call& call) {
  const auto cols = call.params()["cols"];
  if (cols % 4 != 0) return two_pass(call);
  const auto x = call.input<float>(kX);
  two_wide_passes<<<static_cast<unsigned>(x.size / cols), kThreads, 0, gpu::stream_of(call)>>>(
      reinterpret_cast<const float4*>(x.data), reinterpret_cast<const float4*>(call.input<float>(kGain).data),
      reinterpret_cast<float4*>(call.output<float>(kY).data), static_cast<int>(cols / 4));
  gpu::check_launch("RMSNorm in vectors");
}

// ---- Optimised 2: one read -------------------------------------------------------------------------
/// How much of the gain is asked for together with the row, in float4 a thread: all of it, where the
/// registers suffice. Blocks that hold a row alone have a gain of at most 32 KB, which stays in the L1 cache;
/// the barrier of a cluster empties that cache, so there the gain comes from the L2 for every row.
template <class Team>
constexpr int kAhead = Team::kCluster == 1     ? 0
                       : Team::kThreads <= 256 ? Team::kVectors
                                               : 3;

template <class Team, class Piece>
__global__ void __launch_bounds__(Team::kThreads, gpu::resident<Team, Piece>())
    one_pass(const float* x, const float* gain, float* y, int cols) {
  const std::int64_t at = gpu::begin_row<Team>();
  const int count = cols * 4 / sizeof(Piece);
  gpu::Row<Team, Piece> row;
  row.load(reinterpret_cast<const Piece*>(x + at * cols), count, 0);
  gpu::Lookahead<Team, Piece, kAhead<Team>> factors(reinterpret_cast<const Piece*>(gain), count);
  gpu::all_begun<Team>();
  float squares = 0;
  row.look([&](Piece piece) { squares += gpu::sum_of(gpu::product(piece, piece)); });
  const float inverse = inverse_root(gpu::team_sum<Team>(squares), cols);
  row.store(reinterpret_cast<Piece*>(y + at * cols), [&](Piece piece, int p) {
    return gpu::product(gpu::each_of(piece, [&](float value) { return value * inverse; }), factors.take(p));
  });
}

using gpu::Team;
using RowTeams = gpu::Teams<Team<128, 2>, Team<64, 8>, Team<512, 2>, Team<1024, 2>, Team<128, 8, 0, 4, 6>,
                            Team<128, 8, 0, 8, 6>, Team<256, 8, 0, 8, 3>, Team<512, 8, 0, 8, 2>,
                            Team<512, 8, 0, 16, 2>, Team<1024, 8, 8, 8>>;

void one_read(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto launch = [&]<class T>(T) {
    gpu::launch_rows<T>(x.size / cols, gpu::stream_of(call),
                        cols % 4 == 0 ? one_pass<T, float4> : one_pass<T, float>, x.data,
                        call.input<float>(kGain).data, call.output<float>(kY).data, static_cast<int>(cols));
  };
  if (!RowTeams::launch<float>(cols, launch)) vectors(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/rmsnorm",
    .title = "RMSNorm",
    .idea = "Read each row once and keep it in registers until its norm is known.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "fusion", "clusters"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "values", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 5 * 205},
             {.name = "cols", .values = {1024, 4096, 16384, 65536}, .quick = {4096}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .device_draws = {{"uneven", draw_uneven_on_device}},
    .variants = {{.name = "two_pass", .run = two_pass, .note = "a block a row, two reads"},
                 {.name = "vectors", .run = vectors, .note = "the same, 16 bytes an access"},
                 {.name = "one_read",
                  .run = one_read,
                  .note = "the row in the registers of a warp, a block or a cluster",
                  .unavailable = RowTeams::missing<float>}},
}};

}  // namespace
}  // namespace aisp::rmsnorm
