// SPDX-License-Identifier: Apache-2.0
/// \file
/// The baseline: scores to memory, softmax over their rows, weights by values. Three kernels, the products on
/// tensor cores. A framework without a fused operator runs these three.
///
/// The scores of one head of 16384 queries are 1 GB, so heads go through memory some at a time.
#pragma once

#include "workloads/ch10_pipelining/attention_online.cuh"
#include "workloads/ch10_pipelining/attention_tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::attention {

/// Scores and weights of some heads. Rows are filled up to a multiple of 64.
struct Scores {
  gpu::Memory<float> scores;
  gpu::Memory<Bf16> weights;
  int heads;
  std::int64_t pitch;
};

inline std::int64_t pitch_of(std::int64_t seq) { return (seq + kTileRows - 1) / kTileRows * kTileRows; }

inline Scores scores_for(std::int64_t seq, std::int64_t matrices) {
  constexpr std::int64_t kMost = 1 << 28;  // scores: 1 GB, or what a single head needs
  const std::int64_t each = seq * pitch_of(seq);
  const std::int64_t heads = std::min(matrices, std::max<std::int64_t>(1, kMost / each));
  return {gpu::memory_for<float>(static_cast<std::size_t>(heads * each)),
          gpu::memory_for<Bf16>(static_cast<std::size_t>(heads * each)), static_cast<int>(heads),
          pitch_of(seq)};
}

/// 64 queries by 64 keys, with all dimensions at once in shared memory.
template <int kDim, bool kAligned>
__global__ void __launch_bounds__(kTileThreads)
    score_tiles(Attention a, int first_matrix, float* scores, std::int64_t pitch) {
  __shared__ alignas(1024) std::byte of_q[kDim / 64 * kChunkBytes], of_k[kDim / 64 * kChunkBytes];
  const int row = static_cast<int>(blockIdx.y) * kTileRows, key = static_cast<int>(blockIdx.x) * kTileRows;
  if (a.causal && key > row + kTileRows - 1) return;  // seen by nobody
  const std::int64_t matrix = first_matrix + static_cast<int>(blockIdx.z);
  const std::int64_t head = matrix / (a.heads / a.kv_heads);
  const std::uint32_t q = hopper::shared_address(of_q), k = hopper::shared_address(of_k);
  copy_rows<kDim / 64, kAligned>(q, a.q + matrix * a.seq * a.dim, a.dim, row, a.seq, a.dim);
  copy_rows<kDim / 64, kAligned>(k, a.k + head * a.seq * a.dim, a.dim, key, a.seq, a.dim);
  hopper::end_copies();
  hopper::wait_for_copies<0>();
  __syncthreads();
  const int warp_row = static_cast<int>(threadIdx.x) / 32 * 16, lane = static_cast<int>(threadIdx.x) % 32;
  float sums[8][4] = {};
#pragma unroll
  for (int slice = 0; slice < kDim / 16; ++slice) {
    std::uint32_t rows[4];
    rows_of(rows, q, warp_row, slice);
    multiply_rows<64>(sums, rows, k, slice);
  }
#pragma unroll
  for (int j = 0; j < 8; ++j) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int at = row + warp_row + lane / 4 + half * 8;
      if (at < a.seq)
        *reinterpret_cast<float2*>(
            &scores[(std::int64_t{blockIdx.z} * a.seq + at) * pitch + key + j * 8 + lane % 4 * 2]) = {
            sums[j][2 * half], sums[j][2 * half + 1]};
    }
  }
}

/// A block a row. Weights up to the end of the last tile that is needed; those beyond the keys seen are zero.
__global__ void __launch_bounds__(256)
    soften_rows(const float* scores, Bf16* weights, int seq, std::int64_t pitch, bool causal, float scale) {
  const auto row = static_cast<std::int64_t>(blockIdx.x);
  const int query = static_cast<int>(row % seq), seen = causal ? query + 1 : seq;
  const int end = (query / kTileRows + 1) * kTileRows, filled = causal ? end : static_cast<int>(pitch);
  const float* in = scores + row * pitch;
  float max = -INFINITY, sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < seen; i += 256) max = fmaxf(max, in[i]);
  max = gpu::block_max<256>(max);
  for (int i = static_cast<int>(threadIdx.x); i < seen; i += 256) sum += power_of_two((in[i] - max) * scale);
  const float factor = 1 / gpu::block_sum<256>(sum);
  for (int i = static_cast<int>(threadIdx.x); i < filled; i += 256)
    weights[row * pitch + i] =
        __float2bfloat16_rn(i < seen ? power_of_two((in[i] - max) * scale) * factor : 0);
}

/// 64 queries by all dimensions, over tiles of 64 keys.
template <int kDim, bool kAligned>
__global__ void __launch_bounds__(kTileThreads)
    weigh_values(Attention a, int first_matrix, const Bf16* weights, std::int64_t pitch) {
  __shared__ alignas(1024) std::byte of_w[kChunkBytes], of_v[kDim / 64 * kChunkBytes];
  const int row = static_cast<int>(blockIdx.x) * kTileRows;
  const std::int64_t matrix = first_matrix + static_cast<int>(blockIdx.y);
  const std::int64_t head = matrix / (a.heads / a.kv_heads);
  const std::uint32_t w = hopper::shared_address(of_w), v = hopper::shared_address(of_v);
  const int warp_row = static_cast<int>(threadIdx.x) / 32 * 16;
  const int end = a.causal ? min(a.seq, row + kTileRows) : a.seq;
  float sums[kDim / 8][4] = {};
  for (int key = 0; key < end; key += kTileRows) {
    copy_rows<1>(w, weights + std::int64_t{blockIdx.y} * a.seq * pitch + key, pitch, row, a.seq, kTileRows);
    copy_rows<kDim / 64, kAligned>(v, a.v + head * a.seq * a.dim, a.dim, key, a.seq, a.dim);
    hopper::end_copies();
    hopper::wait_for_copies<0>();
    __syncthreads();
#pragma unroll
    for (int slice = 0; slice < kTileRows / 16; ++slice) {
      std::uint32_t rows[4];
      rows_of(rows, w, warp_row, slice);
      multiply_turned<kDim>(sums, rows, v, slice);
    }
    __syncthreads();
  }
  store_rows<kDim>(a.o + matrix * a.seq * a.dim, row + warp_row, a.seq, a.dim, sums, {1, 1});
}

template <int kDim, bool kAligned>
void launch_plain(const Attention& a, const Scores& s, cudaStream_t stream) {
  const unsigned tiles = gpu::blocks_for(a.seq, kTileRows);
  for (int first = 0; first < a.q_matrices(); first += s.heads) {
    const auto heads = static_cast<unsigned>(std::min(s.heads, a.q_matrices() - first));
    score_tiles<kDim, kAligned>
        <<<dim3(tiles, tiles, heads), kTileThreads, 0, stream>>>(a, first, s.scores.get(), s.pitch);
    gpu::check_launch("multiplying queries by keys");
    soften_rows<<<heads* static_cast<unsigned>(a.seq), 256, 0, stream>>>(
        s.scores.get(), s.weights.get(), a.seq, s.pitch, a.causal, a.exponent_scale());
    gpu::check_launch("softening scores");
    weigh_values<kDim, kAligned>
        <<<dim3(tiles, heads), kTileThreads, 0, stream>>>(a, first, s.weights.get(), s.pitch);
    gpu::check_launch("multiplying weights by values");
  }
}

}  // namespace aisp::attention
