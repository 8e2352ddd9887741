// SPDX-License-Identifier: Apache-2.0
/// \file
/// C = A B or A B^T on the device in double, with the magnitude of what was added: the reference of the
/// products in single precision.
#pragma once

#include <cstdint>

#include "workloads/cuda_launch.cuh"

namespace aisp::sgemm {

constexpr int kReferenceSide = 64, kReferenceDepth = 16, kReferenceEach = 4;

/// 16 x 16 threads with 4 x 4 elements each: a thread an element would take seconds at 8192.
template <bool kTurnedB>
__global__ void __launch_bounds__(256)
    multiply_in_double(const float* a, const float* b, double* value, double* scale, int n) {
  constexpr int kSide = kReferenceSide, kDeep = kReferenceDepth, kEach = kReferenceEach;
  __shared__ double of_a[kDeep][kSide + 1], of_b[kDeep][kSide + 1];
  const int t = static_cast<int>(threadIdx.x), x = t % 16, y = t / 16;
  const int row = static_cast<int>(blockIdx.y) * kSide, column = static_cast<int>(blockIdx.x) * kSide;
  double sums[kEach][kEach] = {}, magnitudes[kEach][kEach] = {};
  for (int first = 0; first < n; first += kDeep) {
    for (int i = t; i < kSide * kDeep; i += 256) {
      const int k = i % kDeep, r = i / kDeep, k2 = i / kSide, c = i % kSide;
      of_a[k][r] = row + r < n && first + k < n ? a[std::int64_t{row + r} * n + first + k] : 0;
      if constexpr (kTurnedB) {
        of_b[k][r] = column + r < n && first + k < n ? b[std::int64_t{column + r} * n + first + k] : 0;
      } else {
        of_b[k2][c] = first + k2 < n && column + c < n ? b[std::int64_t{first + k2} * n + column + c] : 0;
      }
    }
    __syncthreads();
    for (int k = 0; k < kDeep; ++k) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          const double p = of_a[k][y + i * 16], q = of_b[k][x + j * 16];
          sums[i][j] += p * q;
          magnitudes[i][j] += fabs(p) * fabs(q);
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int at_row = row + y + i * 16, at_column = column + x + j * 16;
      if (at_row >= n || at_column >= n) continue;
      value[std::int64_t{at_row} * n + at_column] = sums[i][j];
      scale[std::int64_t{at_row} * n + at_column] = magnitudes[i][j];
    }
  }
}

template <bool kTurnedB = false>
void multiply_by_reference(const float* a, const float* b, const DeviceWide& c, std::int64_t n,
                           cudaStream_t stream) {
  const dim3 grid(gpu::blocks_for(n, kReferenceSide), gpu::blocks_for(n, kReferenceSide));
  multiply_in_double<kTurnedB><<<grid, 256, 0, stream>>>(a, b, c.value, c.scale, static_cast<int>(n));
  gpu::check_launch("multiplying by reference");
}

}  // namespace aisp::sgemm
