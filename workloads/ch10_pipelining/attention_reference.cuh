// SPDX-License-Identifier: Apache-2.0
/// \file
/// The reference of ch10/flash_attention_bf16 as a kernel in double. Online, as at 16384 keys the scores of
/// all queries would be gigabytes; apart from that the definition.
#pragma once

#include "workloads/ch10_pipelining/attention.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::attention {

constexpr int kWideThreads = 256, kWideRows = 16, kWideKeys = 32, kWideDim = 128;

struct WideMemory {
  double q[kWideRows][kWideDim], k[kWideKeys][kWideDim + 1], v[kWideKeys][kWideDim];
  double weight[kWideRows][kWideKeys], keep[kWideRows], total[kWideRows];
};

__device__ inline double largest_of_warp(double x) {
  for (int distance = 16; distance > 0; distance /= 2)
    x = fmax(x, __shfl_xor_sync(gpu::kAllLanes, x, distance));
  return x;
}

/// A block has 16 queries. For scores a thread is a key; for sums a dimension, of half of the queries.
__global__ void __launch_bounds__(kWideThreads) attend_in_double(Attention a, double* value, double* scale) {
  extern __shared__ __align__(16) std::byte wide_bytes[];
  auto& memory = *reinterpret_cast<WideMemory*>(wide_bytes);
  const int thread = static_cast<int>(threadIdx.x), key = thread % 32, warp = thread / 32;
  const int first = static_cast<int>(blockIdx.x) * kWideRows;
  const auto matrix = static_cast<std::int64_t>(blockIdx.y), head = matrix / (a.heads / a.kv_heads);
  const auto load = [&](double* to, int pitch, const Bf16* from, std::int64_t of, int row, int rows) {
    for (int i = thread; i < rows * kWideDim; i += kWideThreads) {
      const int r = i / kWideDim, d = i % kWideDim;
      const bool inside = row + r < a.seq && d < a.dim;
      to[r * pitch + d] = inside ? __bfloat162float(from[(of * a.seq + row + r) * a.dim + d]) : 0;
    }
  };
  load(memory.q[0], kWideDim, a.q, matrix, first, kWideRows);
  const int dimension = thread % kWideDim, part = thread / kWideDim * (kWideRows / 2);
  double sums[kWideRows / 2] = {}, squares[kWideRows / 2] = {};
  double max[2] = {-1e300, -1e300}, total[2] = {};  // of this warp's rows, `warp` and `warp` + 8
  const int end = a.causal ? min(a.seq, first + kWideRows) : a.seq;
  for (int at = 0; at < end; at += kWideKeys) {
    __syncthreads();
    load(memory.k[0], kWideDim + 1, a.k, head, at, kWideKeys);
    load(memory.v[0], kWideDim, a.v, head, at, kWideKeys);
    __syncthreads();
    double score[2] = {};
    for (int d = 0; d < a.dim; ++d) {
      score[0] += memory.q[warp][d] * memory.k[key][d];
      score[1] += memory.q[warp + 8][d] * memory.k[key][d];
    }
    for (int r = 0; r < 2; ++r) {
      const int row = warp + 8 * r, seen = a.causal ? min(a.seq, first + row + 1) : a.seq;
      const bool mine = at + key < seen;
      score[r] /= sqrt(static_cast<double>(a.dim));
      const double most = fmax(max[r], largest_of_warp(mine ? score[r] : -1e300));
      const double weight = mine ? exp(score[r] - most) : 0, keep = exp(max[r] - most);
      max[r] = most;
      total[r] = total[r] * keep + gpu::warp_sum(weight);
      memory.weight[row][key] = weight;
      memory.keep[row] = keep;
      memory.total[row] = total[r];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kWideRows / 2; ++r) {
      const double keep = memory.keep[part + r];
      sums[r] *= keep;
      squares[r] *= keep * keep;
      for (int j = 0; j < kWideKeys; ++j) {
        const double term = memory.weight[part + r][j] * memory.v[j][dimension];
        sums[r] += term;
        squares[r] += term * term;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kWideRows / 2; ++r) {
    if (first + part + r >= a.seq || dimension >= a.dim) continue;
    const std::int64_t at = (matrix * a.seq + first + part + r) * a.dim + dimension;
    value[at] = sums[r] / memory.total[part + r];
    scale[at] = sqrt(squares[r]) / memory.total[part + r];
  }
}

inline void launch_in_double(const Attention& a, double* value, double* scale, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(WideMemory);
  gpu::check(cudaFuncSetAttribute(attend_in_double, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
             "allowing the reference its shared memory");
  const dim3 grid(gpu::blocks_for(a.seq, kWideRows), static_cast<unsigned>(a.q_matrices()));
  attend_in_double<<<grid, kWideThreads, kBytes, stream>>>(a, value, scale);
  gpu::check_launch("attention by reference");
}

}  // namespace aisp::attention
