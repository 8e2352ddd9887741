// SPDX-License-Identifier: Apache-2.0
// Rung 2: tiles in shared memory.
//
// An element of A serves a whole row of D and an element of B a whole column. A block fetches 32 x 32 of each
// once and all of its 1024 threads use it 32 times. What to look for: still two loads for every multiply-add,
// now from shared memory, which gives a warp one of them a clock.
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {
namespace {

constexpr int kSide = 32;

__global__ void __launch_bounds__(kSide* kSide) multiply_shared(Product p) {
  // One more column: threads side by side read down a column of B, each in a bank of its own.
  __shared__ float of_a[kSide][kSide + 1], of_b[kSide][kSide + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int i = static_cast<int>(blockIdx.y) * kSide + y, j = static_cast<int>(blockIdx.x) * kSide + x;
  const int row_of_b = static_cast<int>(blockIdx.x) * kSide + y;  // which this thread fetches
  float sum = 0;
  for (int first = 0; first < p.k; first += kSide) {
    const bool inside = first + x < p.k;
    of_a[y][x] = i < p.m && inside ? __bfloat162float(p.a[std::int64_t{i} * p.k + first + x]) : 0;
    of_b[y][x] =
        row_of_b < p.n && inside ? __bfloat162float(p.b[std::int64_t{row_of_b} * p.k + first + x]) : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSide; ++k) sum += of_a[y][k] * of_b[x][k];
    __syncthreads();  // all have used the tiles
  }
  if (i < p.m && j < p.n) p.d[std::int64_t{i} * p.n + j] = __float2bfloat16_rn(sum);
}

}  // namespace

void shared_tile(const Product& product, cudaStream_t stream) {
  const dim3 grid(gpu::blocks_for(product.n, kSide), gpu::blocks_for(product.m, kSide)), block(kSide, kSide);
  multiply_shared<<<grid, block, 0, stream>>>(product);
  gpu::check_launch("multiplying through shared tiles");
}

}  // namespace aisp::hopper_matmul
