// SPDX-License-Identifier: Apache-2.0
/// \file
/// The right answer on the device, in double, and the magnitude of what was added, for all types.
///
/// A product of 8192 has 1.1e12 additions, twice: without tensor cores that takes longer than all the
/// measuring. They multiply doubles too (mma.sync, f64), rounded as always: 16 x 8 sums of a warp, 16 steps
/// of k at a time. A lane has of A two rows and four columns, of B four rows and one column, and of the sums
/// two rows and two columns.
#pragma once

#include "labs/hopper_matmul/product.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

__device__ inline double wide(Bf16 value) { return __bfloat162float(value); }
__device__ inline double wide(E4m3 value) { return static_cast<float>(value); }
__device__ inline double wide(float value) { return value; }
__device__ inline double factor_of(const Unscaled&) { return 1; }
__device__ inline double factor_of(const Scales& scales) { return double{*scales.a} * *scales.b; }

/// Before sm_90 as eight products of 8 x 8 x 4: each has its values in the same lanes.
__device__ __forceinline__ void multiply_doubles(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    double &first = d[i % 2 * 2], &second = d[i % 2 * 2 + 1];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(first), "+d"(second)
                 : "d"(a[i]), "d"(b[i / 2]));
  }
#else
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}

/// A block's tile, a warp's part of it (4 x 2 warps of 16 x 32), and how they lie in shared memory: four rows
/// of 20 doubles, read four at a time, are in different banks.
struct WideTile {
  static constexpr int kRows = 64, kColumns = 64, kDepth = 16, kPitch = 20, kThreads = 256;
  static constexpr int kEach = (kRows + kColumns) * kDepth / kThreads;  ///< that a thread fetches
  double of_a[kRows][kPitch], of_b[kColumns][kPitch];
};

/// The values that this thread brings for the next 16 of k; zeros beyond the matrices.
template <class In>
__device__ __forceinline__ void fetch_wide(const In* a, const In* b, int m, int n, int k, int row, int column,
                                           int first, In (&values)[WideTile::kEach]) {
#pragma unroll
  for (int i = 0; i < WideTile::kEach; ++i) {
    const int at = i * WideTile::kThreads + static_cast<int>(threadIdx.x);
    const int r = at / WideTile::kDepth, c = first + at % WideTile::kDepth;
    const bool of_a = r < WideTile::kRows;
    const int line = of_a ? row + r : column + r - WideTile::kRows;
    values[i] = c < k && line < (of_a ? m : n) ? (of_a ? a : b)[std::int64_t{line} * k + c] : In(0.0f);
  }
}

template <class Problem>
__global__ void __launch_bounds__(WideTile::kThreads)
    multiply_in_double(Problem p, double* value, double* scale) {
  __shared__ WideTile tile;
  const int row = static_cast<int>(blockIdx.y) * WideTile::kRows,
            column = static_cast<int>(blockIdx.x) * WideTile::kColumns;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = warp % 4 * 16, warp_column = warp / 4 * 32, eighth = lane / 4, quarter = lane % 4;
  double sums[4][4] = {}, magnitudes[4][4] = {};
  typename Problem::In values[WideTile::kEach];
  fetch_wide(p.a, p.b, p.m, p.n, p.k, row, column, 0, values);
  for (int first = 0; first < p.k; first += WideTile::kDepth) {
#pragma unroll
    for (int i = 0; i < WideTile::kEach; ++i) {
      const int at = i * WideTile::kThreads + static_cast<int>(threadIdx.x);
      const int r = at / WideTile::kDepth, c = at % WideTile::kDepth;
      (r < WideTile::kRows ? tile.of_a[r] : tile.of_b[r - WideTile::kRows])[c] = wide(values[i]);
    }
    __syncthreads();
    if (first + WideTile::kDepth < p.k)
      fetch_wide(p.a, p.b, p.m, p.n, p.k, row, column, first + WideTile::kDepth, values);
    double b[4][4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int i = 0; i < 4; ++i) b[j][i] = tile.of_b[warp_column + j * 8 + eighth][i * 4 + quarter];
    }
    double a[8];
#pragma unroll
    for (int e = 0; e < 8; ++e) a[e] = tile.of_a[warp_row + eighth + e % 2 * 8][e / 2 * 4 + quarter];
#pragma unroll
    for (int j = 0; j < 4; ++j) multiply_doubles(sums[j], a, b[j]);
#pragma unroll
    for (double& x : a) x = fabs(x);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (double& x : b[j]) x = fabs(x);
      multiply_doubles(magnitudes[j], a, b[j]);
    }
    __syncthreads();  // all have used the tile
  }
  const double factor = factor_of(p.scales);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int r = row + warp_row + eighth + e / 2 * 8,
                c = column + warp_column + j * 8 + quarter * 2 + e % 2;
      if (r >= p.m || c >= p.n) continue;
      value[std::int64_t{r} * p.n + c] = factor * sums[j][e];
      scale[std::int64_t{r} * p.n + c] = fabs(factor) * magnitudes[j][e];
    }
  }
}

template <class Problem>
void launch_in_double(const Problem& p, double* value, double* scale, cudaStream_t stream) {
  const dim3 grid(gpu::blocks_for(p.n, WideTile::kColumns), gpu::blocks_for(p.m, WideTile::kRows));
  multiply_in_double<<<grid, WideTile::kThreads, 0, stream>>>(p, value, scale);
  gpu::check_launch("multiplying by reference");
}

}  // namespace aisp::hopper_matmul
