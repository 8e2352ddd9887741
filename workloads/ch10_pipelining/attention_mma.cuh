// SPDX-License-Identifier: Apache-2.0
/// \file
/// Online softmax over tiles, by mma.sync: four warps with 16 queries each; tiles of 64 keys and values come
/// by cp.async, the next while this one is used. Scores never leave registers.
#pragma once

#include "workloads/ch10_pipelining/attention_online.cuh"
#include "workloads/ch10_pipelining/attention_tiles.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::attention {

template <int kDim>
struct TiledMemory {
  alignas(1024) std::byte q[kDim / 64 * kChunkBytes], k[2][kDim / 64 * kChunkBytes],
      v[2][kDim / 64 * kChunkBytes];
};

template <int kDim>
__global__ void __launch_bounds__(kTileThreads, 2) attend_tiled(Attention a, float scale) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<TiledMemory<kDim>*>(shared_bytes);
  const int row = static_cast<int>(gridDim.x - 1 - blockIdx.x) * kTileRows;  // the longest first
  const std::int64_t matrix = blockIdx.y, head = matrix / (a.heads / a.kv_heads);
  const Bf16 *keys = a.k + head * a.seq * a.dim, *values = a.v + head * a.seq * a.dim;
  const int warp_row = static_cast<int>(threadIdx.x) / 32 * 16, lane = static_cast<int>(threadIdx.x) % 32;
  const int steps = ((a.causal ? min(a.seq, row + kTileRows) : a.seq) + kTileRows - 1) / kTileRows;
  const auto fetch = [&](int step) {
    if (step < steps) {
      copy_rows<kDim / 64>(hopper::shared_address(memory.k[step % 2]), keys, a.dim, step * kTileRows, a.seq,
                           a.dim);
      copy_rows<kDim / 64>(hopper::shared_address(memory.v[step % 2]), values, a.dim, step * kTileRows, a.seq,
                           a.dim);
    }
    hopper::end_copies();
  };
  copy_rows<kDim / 64>(hopper::shared_address(memory.q), a.q + matrix * a.seq * a.dim, a.dim, row, a.seq,
                       a.dim);
  fetch(0);
  float out[kDim / 8][4] = {};
  RowState state;
  for (int step = 0; step < steps; ++step) {
    fetch(step + 1);
    hopper::wait_for_copies<1>();
    __syncthreads();
    const std::uint32_t q = hopper::shared_address(memory.q), k = hopper::shared_address(memory.k[step % 2]);
    float scores[8][4] = {};
#pragma unroll
    for (int slice = 0; slice < kDim / 16; ++slice) {
      std::uint32_t rows[4];
      rows_of(rows, q, warp_row, slice);
      multiply_rows<kTileRows>(scores, rows, k, slice);
    }
    auto& flat = reinterpret_cast<float(&)[32]>(scores);
    const int first = row + warp_row + lane / 4, key = step * kTileRows;
    if (key + kTileRows > a.seq || (a.causal && key + kTileRows > row + warp_row))
      hide(flat, (a.causal ? min(first + 1, a.seq) : a.seq) - key, a.causal && first + 8 < a.seq ? 8 : 0);
    float keep[2];
    soften(flat, state, keep, scale);
    scale_rows(reinterpret_cast<float(&)[kDim / 2]>(out), keep);
    std::uint32_t weights[16];
    round_weights(flat, weights);
#pragma unroll
    for (int slice = 0; slice < kTileRows / 16; ++slice)
      multiply_turned<kDim>(out, reinterpret_cast<const std::uint32_t(&)[4]>(weights[4 * slice]),
                            hopper::shared_address(memory.v[step % 2]), slice);
    __syncthreads();  // all have left the tiles that are filled next
  }
  store_rows<kDim>(a.o + matrix * a.seq * a.dim, row + warp_row, a.seq, a.dim, out,
                   {1 / quad_sum(state.sum[0]), 1 / quad_sum(state.sum[1])});
}

template <int kDim>
void launch_tiled(const Attention& a, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(TiledMemory<kDim>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(attend_tiled<kDim>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing two tiles of keys and values their shared memory");
  const dim3 grid(gpu::blocks_for(a.seq, kTileRows), static_cast<unsigned>(a.q_matrices()));
  attend_tiled<kDim><<<grid, kTileThreads, kBytes, stream>>>(a, a.exponent_scale());
  gpu::check_launch("attention by mma.sync");
}

}  // namespace aisp::attention
