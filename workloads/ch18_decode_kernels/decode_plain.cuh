// SPDX-License-Identifier: Apache-2.0
/// \file
/// The first two rungs: blocks of eight warps for each query, on ordinary arithmetic. Half a warp has a key:
/// sixteen lanes with eight dimensions each.
#pragma once

#include "workloads/ch18_decode_kernels/decode.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::decode {

constexpr int kPlainThreads = 256, kTeams = kPlainThreads / 16;  ///< half-warps

struct alignas(16) Eight {
  __nv_bfloat162 pair[4];
};
__device__ __forceinline__ void widen(const Eight& from, float (&to)[8]) {
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    to[2 * p] = __low2float(from.pair[p]);
    to[2 * p + 1] = __high2float(from.pair[p]);
  }
}

/// Block (query, part): the part's share of the keys, one after the other, the softmax online.
__global__ void __launch_bounds__(kPlainThreads) attend_by_lanes(Decode d, int parts, Parts results) {
  const int query = static_cast<int>(blockIdx.x), part = static_cast<int>(blockIdx.y);
  const std::int64_t item = query / d.group;
  const int team = static_cast<int>(threadIdx.x) / 16, lane = static_cast<int>(threadIdx.x) % 16;
  const int each = (d.context + parts - 1) / parts;
  const int begin = part * each, end = min(d.context, begin + each);
  const Eight* keys = reinterpret_cast<const Eight*>(d.k) + item * d.context * (kDim / 8) + lane;
  const Eight* values = reinterpret_cast<const Eight*>(d.v) + item * d.context * (kDim / 8) + lane;
  float q[8], sums[8] = {};
  widen(reinterpret_cast<const Eight*>(d.q)[std::int64_t{query} * (kDim / 8) + lane], q);
  Softened state{kNothing, 0};
#pragma unroll 4
  for (int j = begin + team; j < end; j += kTeams) {
    float k[8], v[8], score = 0;
    widen(keys[std::int64_t{j} * (kDim / 8)], k);
    widen(values[std::int64_t{j} * (kDim / 8)], v);
#pragma unroll
    for (int i = 0; i < 8; ++i) score += q[i] * k[i];
    const unsigned together = 0xffffu << (team % 2 * 16);
#pragma unroll
    for (int distance = 1; distance < 16; distance *= 2) score += __shfl_xor_sync(together, score, distance);
    score *= kScale;
    const float most = fmaxf(state.max, score), keep = power_of_two(state.max - most);
    const float weight = power_of_two(score - most);
    state = {most, state.sum * keep + weight};
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[i] = sums[i] * keep + weight * v[i];
  }
  __shared__ float of_team[kTeams][kDim];
  __shared__ Softened softened[kTeams];
#pragma unroll
  for (int i = 0; i < 8; ++i) of_team[team][lane * 8 + i] = sums[i];
  if (lane == 0) softened[team] = state;
  __syncthreads();
  const int dimension = static_cast<int>(threadIdx.x);
  if (dimension >= kDim) return;
  Softened all{kNothing, 0};
  for (const Softened& s : softened) all.max = fmaxf(all.max, s.max);
  float value = 0;
  for (int t = 0; t < kTeams; ++t) {
    const float factor = power_of_two(softened[t].max - all.max);
    all.sum += softened[t].sum * factor;
    value += of_team[t][dimension] * factor;
  }
  if (parts == 1) {
    d.o[std::int64_t{query} * kDim + dimension] = __float2bfloat16_rn(value / all.sum);
  } else {
    const std::int64_t at = std::int64_t{query} * parts + part;
    results.values[at * kDim + dimension] = value;
    if (dimension == 0) results.softened[at] = all;
  }
}

/// One block a query, one thread a dimension.
__global__ void __launch_bounds__(kDim) combine_parts(Bf16* o, int parts, Parts results) {
  const std::int64_t query = blockIdx.x, first = query * parts;
  Softened all{kNothing, 0};
  for (int p = 0; p < parts; ++p) all.max = fmaxf(all.max, results.softened[first + p].max);
  float value = 0;
  for (int p = 0; p < parts; ++p) {
    const float factor = power_of_two(results.softened[first + p].max - all.max);
    all.sum += results.softened[first + p].sum * factor;
    value += results.values[(first + p) * kDim + threadIdx.x] * factor;
  }
  o[query * kDim + threadIdx.x] = __float2bfloat16_rn(value / all.sum);
}

/// As many parts as give every multiprocessor `blocks` blocks, each of them 256 keys at least.
inline int parts_for(const Decode& d, std::int64_t rows, int blocks) {
  const std::int64_t wanted = (std::int64_t{blocks} * gpu::processors() + rows - 1) / rows;
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, (d.context + 255) / 256));
}

inline void launch_by_lanes(const Decode& d, int parts, const Parts& results, cudaStream_t stream) {
  const auto queries = static_cast<unsigned>(d.items * d.group);
  attend_by_lanes<<<dim3(queries, static_cast<unsigned>(parts)), kPlainThreads, 0, stream>>>(d, parts,
                                                                                             results);
  gpu::check_launch("attention of one query, a block a head");
  if (parts == 1) return;
  combine_parts<<<queries, kDim, 0, stream>>>(d.o, parts, results);
  gpu::check_launch("combining parts");
}

}  // namespace aisp::decode
