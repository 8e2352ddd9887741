// SPDX-License-Identifier: Apache-2.0
/// \file
/// Softmax of a row that a team of threads holds: read once, written once, summed in single precision
/// whatever its values are stored in. The lesson is in softmax.cu.
#pragma once

#include <cfloat>
#include <cstdint>

#include "workloads/cuda_row.cuh"

namespace aisp::softmax {

/// A sum of exp(x - max). Below all floats that occur, not minus infinity: the difference of two of those is
/// NaN.
struct Sum {
  float max, sum;
};
__device__ inline Sum no_sum() { return {-FLT_MAX, 0}; }

/// Of a warp: relative to the largest maximum.
__device__ inline Sum warp_total(Sum mine) {
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

/// exp(x), as near as what the result is stored in can tell: 2^-22 of it is enough for 16 bits, and takes
/// three instructions instead of about ten.
template <class Value>
__device__ float exp_for(float x) {
  if constexpr (sizeof(Value) == sizeof(float)) {
    return expf(x);
  } else {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.44269504f));
    return result;
  }
}

template <class Team, class Value, class Piece>
__global__ void __launch_bounds__(Team::kThreads) one_pass(const Value* x, Value* y, int cols) {
  const std::int64_t at = gpu::begin_row<Team>();
  gpu::Row<Team, Piece> row;
  row.load(reinterpret_cast<const Piece*>(x + at * cols),
           cols / static_cast<int>(sizeof(Piece) / sizeof(Value)), -INFINITY);

  Sum mine = no_sum();
  row.look([&](Piece piece) {  // in the order in which they arrive
    const float max = fmaxf(mine.max, gpu::largest_of(piece));
    const float terms = gpu::sum_over(piece, [&](float value) { return exp_for<Value>(value - max); });
    mine = {max, mine.sum * expf(mine.max - max) + terms};
  });
  Sum all = warp_total(mine);
  if constexpr (Team::kWarps > 1) all = total_of<Team::kWarps>(gpu::share<Team>(all));

  const float factor = 1 / all.sum;
  row.store(reinterpret_cast<Piece*>(y + at * cols), [&](Piece piece, int) {
    return gpu::each_of(piece, [&](float value) { return exp_for<Value>(value - all.max) * factor; });
  });
}

/// A team a row; false where no team holds a row as long as these. Wide: 16 bytes of values.
template <class Wide, class Value>
bool row_at_once(const Value* x, Value* y, std::int64_t rows, std::int64_t cols, cudaStream_t stream) {
  constexpr std::int64_t kInWide = sizeof(Wide) / sizeof(Value);
  const auto launch = [&]<class T>(T) {
    gpu::launch_rows<T>(rows, stream,
                        cols % kInWide == 0 ? one_pass<T, Value, Wide> : one_pass<T, Value, Value>, x, y,
                        static_cast<int>(cols));
  };
  using gpu::Team;
  return gpu::with_team<Team<32, 8>, Team<64, 8>, Team<128, 4, 4>, Team<256, 8>, Team<512, 8>, Team<1024, 8>,
                        Team<512, 8, 8, 2>, Team<1024, 8, 8, 2>, Team<1024, 8, 8, 8>>(
      static_cast<std::size_t>(cols) * sizeof(Value), launch);
}

}  // namespace aisp::softmax
