// SPDX-License-Identifier: Apache-2.0
/// \file
/// The third rung: the queries that share keys and values in one block, on tensor cores. Tiles come by
/// cp.async and are waited for.
#pragma once

#include "workloads/ch18_decode_kernels/decode_plain.cuh"
#include "workloads/ch18_decode_kernels/decode_tile.cuh"

namespace aisp::decode {

constexpr int kPackedThreads = kWarps * 32;

__device__ __forceinline__ void copy_tile(std::uint32_t tile, const Bf16* matrix, int first, int end) {
#pragma unroll
  for (int i = 0; i < kTile * 16 / kPackedThreads; ++i) {
    const int at = static_cast<int>(threadIdx.x) + i * kPackedThreads, row = at / 16, piece = at % 16;
    const bool inside = first + row < end;
    hopper::copy_piece(tile + piece / 8 * kChunkBytes + hopper::swizzled(row, piece % 8 * 16),
                       inside ? matrix + std::int64_t{first + row} * kDim + piece * 8 : matrix, inside);
  }
}

/// Block (item, part).
__global__ void __launch_bounds__(kPackedThreads) attend_packed(Decode d, int parts, Parts results) {
  __shared__ alignas(1024) std::byte tiles[2 * kTileBytes];
  const std::int64_t item = blockIdx.x;
  const int part = static_cast<int>(blockIdx.y), warp = static_cast<int>(threadIdx.x) / 32;
  const int each = (static_cast<int>(gpu::blocks_for(d.context, kTile)) + parts - 1) / parts;
  const int begin = part * each * kTile, end = min(d.context, begin + each * kTile);
  const std::uint32_t k = hopper::shared_address(tiles), v = k + kTileBytes;
  WarpState state;
  state.begin(d.q + item * d.group * kDim, d.group);
  for (int first = begin; first < end; first += kTile) {
    copy_tile(k, d.k + item * d.context * kDim, first, end);
    copy_tile(v, d.v + item * d.context * kDim, first, end);
    hopper::end_copies();
    hopper::wait_for_copies<0>();
    __syncthreads();
    state.attend(k, v, warp * 16, end - first - warp * 16);
    __syncthreads();
  }
  auto& exchange = *reinterpret_cast<Exchange*>(tiles);  // which are no longer needed
  static_assert(sizeof(Exchange) <= sizeof tiles);
  state.leave(exchange.values[warp], exchange.softened[warp]);
  __syncthreads();
  const int dimension = static_cast<int>(threadIdx.x);
  put_together(exchange, d.group, dimension, [&](int g, float value, Softened s) {
    const std::int64_t query = item * d.group + g, at = query * parts + part;
    if (parts == 1) {
      d.o[query * kDim + dimension] = __float2bfloat16_rn(value / s.sum);
    } else {
      results.values[at * kDim + dimension] = value;
      if (dimension == 0) results.softened[at] = s;
    }
  });
}

inline void launch_packed(const Decode& d, int parts, const Parts& results, cudaStream_t stream) {
  attend_packed<<<dim3(static_cast<unsigned>(d.items), static_cast<unsigned>(parts)), kPackedThreads, 0,
                  stream>>>(d, parts, results);
  gpu::check_launch("attention of one query, heads together");
  if (parts == 1) return;
  combine_parts<<<static_cast<unsigned>(d.items * d.group), kDim, 0, stream>>>(d.o, parts, results);
  gpu::check_launch("combining parts");
}

}  // namespace aisp::decode
