// SPDX-License-Identifier: Apache-2.0
// Rung 1, the baseline: a thread an element of D, operands from the caches.
//
// Rows of A and of B are contiguous along k, so a thread reads 8 values of each with one access. Neighbouring
// threads have neighbouring columns of D: all read the same piece of A, and pieces of 32 different rows of B.
// What to look for: two accesses for every eight multiply-adds, and one of them touches 32 lines.
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {
namespace {

constexpr int kSide = 16;  ///< of a block of 256 threads: 16 rows of B, and of A, stay in the L1 cache

__device__ float dot_eight(const uint4& a, const uint4& b, float sum) {
  const auto* of_a = reinterpret_cast<const Bf16*>(&a);
  const auto* of_b = reinterpret_cast<const Bf16*>(&b);
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += __bfloat162float(of_a[i]) * __bfloat162float(of_b[i]);
  return sum;
}

__global__ void __launch_bounds__(kSide* kSide) multiply_elements(Product p) {
  const int i = static_cast<int>(blockIdx.y * kSide + threadIdx.y);
  const int j = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  if (i >= p.m || j >= p.n) return;
  const Bf16 *a = p.a + std::int64_t{i} * p.k, *b = p.b + std::int64_t{j} * p.k;
  float sum = 0;
  int first = 0;
  if (p.k % 8 == 0) {
    for (; first < p.k; first += 8)
      sum = dot_eight(*reinterpret_cast<const uint4*>(a + first), *reinterpret_cast<const uint4*>(b + first),
                      sum);
  }
  for (; first < p.k; ++first) sum += __bfloat162float(a[first]) * __bfloat162float(b[first]);
  p.d[std::int64_t{i} * p.n + j] = __float2bfloat16_rn(sum);
}

}  // namespace

void naive(const Product& product, cudaStream_t stream) {
  const dim3 grid(gpu::blocks_for(product.n, kSide), gpu::blocks_for(product.m, kSide)), block(kSide, kSide);
  multiply_elements<<<grid, block, 0, stream>>>(product);
  gpu::check_launch("multiplying, a thread an element");
}

}  // namespace aisp::hopper_matmul
