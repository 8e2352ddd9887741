// SPDX-License-Identifier: Apache-2.0
// Bank conflicts                                             chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          lay a tile out so that the 32 lanes of a warp find their words in 32 different banks,
//                    whichever way they walk through it.
// What bounds it:    8 bytes a value. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200 copies.
//                    Sixteen accesses a value to shared memory, 32 words a clock from 32 banks, are 254,000
//                    clocks of every multiprocessor: 134 µs beside that. Along rows the compiler makes four
//                    words one access, and eight lanes meet in the same four banks: eight times as long, 0.6
//                    ms in all.
// What to look for:  wavefronts of shared memory for each access along rows: 4 for 16 bytes a lane, or 32.
// Where it stops:    at memory. From there on only the shared memory that padding takes is left to save.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::bank_conflict {
namespace {

enum { kX };
enum { kY };
constexpr int kSide = gpu::kLanes, kTile = kSide * kSide;
constexpr int kThreads = 128, kWarps = kThreads / gpu::kLanes;

// ---- The problem: four rounds of smoothing, down the columns and along the rows of tiles -----------
// s becomes s + (x - s) / 4, from the first value of a column or row to its last: a recursive filter in two
// directions. Weights are positive and sum to one, so roundings do not grow.
constexpr int kRounds = 4;
constexpr float kShare = 0.25f;

Problem problem(const Params& p) {
  const auto tiles = p["tiles"];
  const auto count = static_cast<double>(tiles * kTile);
  return {
      .tensors = {input<float>("x", {tiles, kSide, kSide}, {uniform(-1, 1), wide_range(-6, 6)}),
                  // As a sum over all steps that lead to a value.
                  output<float>("y", {tiles, kSide, kSide},
                                reduction(DType::f32, DType::f32, 2 * kRounds * kSide))},
      .work = {.bytes = 8 * count, .flops = 4 * kRounds * count, .items = count, .traffic = Traffic::copy}};
}

// ---- Reference: the definition, and the same of the magnitudes -------------------------------------
/// One step of one line: `from` is the value before, or itself at the beginning.
constexpr double smoothed(double before, double value) { return before + (value - before) * kShare; }

void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  std::vector<double>&value = call.outputs[kY].value, &scale = call.outputs[kY].scale;
  scale.resize(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    value[i] = x[static_cast<std::int64_t>(i)];
    scale[i] = std::fabs(value[i]);
  }
  for (std::size_t first = 0; first < value.size(); first += kTile) {
    for (int sweep = 0; sweep < 2 * kRounds; ++sweep) {
      const std::size_t step = sweep % 2 == 0 ? kSide : 1;  // down, then along
      for (std::size_t i = 0; i < kTile; ++i) {
        const bool begins = sweep % 2 == 0 ? i < kSide : i % kSide == 0;
        if (begins) continue;
        value[first + i] = smoothed(value[first + i - step], value[first + i]);
        scale[first + i] = smoothed(scale[first + i - step], scale[first + i]);
      }
    }
  }
}

/// A warp a tile, in a layout with a column to spare.
__global__ void smooth_in_double(const float* x, double* value, double* scale) {
  __shared__ double values[kSide][kSide + 1], scales[kSide][kSide + 1];
  const std::int64_t first = std::int64_t{blockIdx.x} * kTile;
  const int lane = static_cast<int>(threadIdx.x);
  for (int r = 0; r < kSide; ++r) {
    values[r][lane] = x[first + r * kSide + lane];
    scales[r][lane] = fabs(values[r][lane]);
  }
  for (int round = 0; round < kRounds; ++round) {
    __syncwarp();
    for (int r = 1; r < kSide; ++r) {
      values[r][lane] = smoothed(values[r - 1][lane], values[r][lane]);
      scales[r][lane] = smoothed(scales[r - 1][lane], scales[r][lane]);
    }
    __syncwarp();
    for (int c = 1; c < kSide; ++c) {
      values[lane][c] = smoothed(values[lane][c - 1], values[lane][c]);
      scales[lane][c] = smoothed(scales[lane][c - 1], scales[lane][c]);
    }
  }
  __syncwarp();
  for (int r = 0; r < kSide; ++r) {
    value[first + r * kSide + lane] = values[r][lane];
    scale[first + r * kSide + lane] = scales[r][lane];
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  smooth_in_double<<<static_cast<unsigned>(call.params["tiles"]), kSide, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.outputs[kY].value, call.outputs[kY].scale);
  gpu::check_launch("smoothing by reference");
}

// ---- What all rungs share: a warp a tile -----------------------------------------------------------
/// A lane smooths a column in registers and leaves it in shared memory; then it takes a row from there,
/// smooths that and puts it back. Lanes have neighbouring columns, so memory sees whole lines. Layout::place
/// says where element (row, column) lies.
template <class Layout>
__global__ void __launch_bounds__(kThreads) smooth(const float* x, float* y, std::int64_t tiles) {
  __shared__ alignas(16) float shared[kWarps][Layout::kWords];
  const std::int64_t tile = std::int64_t{blockIdx.x} * kWarps + gpu::warp_index();
  if (tile >= tiles) return;
  float* mine = shared[gpu::warp_index()];
  const int lane = gpu::lane_index();
  const std::int64_t at = tile * kTile + lane;
  float values[kSide];
  const auto smooth_line = [&] {
#pragma unroll
    for (int i = 1; i < kSide; ++i) values[i] = fmaf(values[i] - values[i - 1], kShare, values[i - 1]);
  };
#pragma unroll
  for (int r = 0; r < kSide; ++r) values[r] = x[at + r * kSide];
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    smooth_line();
#pragma unroll
    for (int r = 0; r < kSide; ++r) mine[Layout::place(r, lane)] = values[r];
    __syncwarp();
#pragma unroll
    for (int c = 0; c < kSide; ++c) values[c] = mine[Layout::place(lane, c)];
    smooth_line();
#pragma unroll
    for (int c = 0; c < kSide; ++c) mine[Layout::place(lane, c)] = values[c];
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kSide; ++r) values[r] = mine[Layout::place(r, lane)];
  }
#pragma unroll
  for (int r = 0; r < kSide; ++r) y[at + r * kSide] = values[r];
}

template <class Layout>
void warp_a_tile(const Call& call) {
  const auto tiles = call.params()["tiles"];
  smooth<Layout><<<gpu::blocks_for(tiles, kWarps), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.output<float>(kY).data, tiles);
  gpu::check_launch("smoothing tiles");
}

// ---- Baseline: row after row -----------------------------------------------------------------------
/// Words that lie 32 apart are in one bank: a column of the tile, which is what 32 lanes ask for when each
/// walks along a row of its own. The compiler makes four words of a row one access of 16 bytes, which leaves
/// eight lanes at a time in the same four banks.
struct Plain {
  static constexpr int kWords = kTile;
  __device__ static int place(int row, int column) { return row * kSide + column; }
};

// ---- The idea --------------------------------------------------------------------------------------
// The bank of a word is its number modulo 32, and a bank gives one word a clock. So neither the words of a
// row nor those of a column may agree modulo 32. Rows of 33 words do it: column c of row r is in bank r + c.
// So does turning each row by an exclusive or: it is in bank r ^ c, takes no memory beyond the tile, and
// leaves groups of a power of two together, which is why the copy engine and the matrix units of a GPU use
// it.

// ---- Optimised 1: a word more in each row ----------------------------------------------------------
struct Padded {
  static constexpr int kWords = kSide * (kSide + 1);
  __device__ static int place(int row, int column) { return row * (kSide + 1) + column; }
};

// ---- Optimised 2: columns exchanged by the row's number --------------------------------------------
struct Swizzled {
  static constexpr int kWords = kTile;
  __device__ static int place(int row, int column) { return row * kSide + (column ^ row); }
};

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch08/bank_conflict",
    .title = "Bank conflicts",
    .idea = "Lay a tile out so that a warp finds rows and columns alike in 32 different banks.",
    .bound = Bound::memory,
    .tags = {"shared memory", "bank conflicts", "filters"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "tiles", .values = {1 << 14, 1 << 16}, .quick = {1 << 16}, .small = 7}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "plain",
                  .run = CallFunction(warp_a_tile<Plain>),
                  .note = "rows of 32 words: a column is in one bank"},
                 {.name = "padded", .run = CallFunction(warp_a_tile<Padded>), .note = "rows of 33 words"},
                 {.name = "swizzled",
                  .run = CallFunction(warp_a_tile<Swizzled>),
                  .note = "columns exchanged by the row's number, no memory beyond the tile"}},
}};

}  // namespace
}  // namespace aisp::bank_conflict
