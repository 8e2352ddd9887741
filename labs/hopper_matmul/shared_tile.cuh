// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rung 2, for all types and every size: what the later rungs leave sizes to that the copy
/// engine cannot take.
#pragma once

#include "labs/hopper_matmul/product.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

constexpr int kSharedSide = 32;

template <class Problem>
__global__ void __launch_bounds__(kSharedSide* kSharedSide) multiply_shared(Problem p) {
  constexpr int kSide = kSharedSide;
  // One more column: threads side by side read down a column of B, each in a bank of its own.
  __shared__ float of_a[kSide][kSide + 1], of_b[kSide][kSide + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int i = static_cast<int>(blockIdx.y) * kSide + y, j = static_cast<int>(blockIdx.x) * kSide + x;
  const int row_of_b = static_cast<int>(blockIdx.x) * kSide + y;  // which this thread fetches
  float sum[1] = {};
  for (int first = 0; first < p.k; first += kSide) {
    const bool inside = first + x < p.k;
    of_a[y][x] = i < p.m && inside ? static_cast<float>(p.a[std::int64_t{i} * p.k + first + x]) : 0;
    of_b[y][x] =
        row_of_b < p.n && inside ? static_cast<float>(p.b[std::int64_t{row_of_b} * p.k + first + x]) : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSide; ++k) sum[0] += of_a[y][k] * of_b[x][k];
    __syncthreads();  // all have used the tiles
  }
  apply(sums_factor(p.scales), sum);
  if (i < p.m && j < p.n) p.d[std::int64_t{i} * p.n + j] = static_cast<typename Problem::Out>(sum[0]);
}

template <class Problem>
void launch_shared(const Problem& product, cudaStream_t stream) {
  const dim3 grid(gpu::blocks_for(product.n, kSharedSide), gpu::blocks_for(product.m, kSharedSide)),
      block(kSharedSide, kSharedSide);
  multiply_shared<<<grid, block, 0, stream>>>(product);
  gpu::check_launch("multiplying through shared tiles");
}

}  // namespace aisp::hopper_matmul
