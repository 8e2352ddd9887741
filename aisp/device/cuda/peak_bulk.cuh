// SPDX-License-Identifier: Apache-2.0
/// \file
/// The same by Hopper's bulk copies: one thread of a block keeps several chunks in flight between device
/// memory and shared memory, and no registers are involved.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda/ptx>

#include "aisp/device/cuda/peak_stream.cuh"

namespace aisp::cuda {

constexpr int kBulkStages = 4;

/// A tile is a chunk of `chunk_bytes`; shared memory holds kBulkStages of them.
template <Way kWay>
__global__ void bulk_tiles(Stretch stretch, unsigned chunk_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  namespace ptx = ::cuda::ptx;
  extern __shared__ __align__(128) std::byte stages[];
  __shared__ std::uint64_t arrived[kBulkStages];
  // 32 bits: a 64-bit division in the one thread that works would cost as much as the chunk.
  const auto tiles = static_cast<unsigned>(stretch.tiles);
  const unsigned mine = blockIdx.x < tiles ? (tiles - blockIdx.x - 1) / gridDim.x + 1 : 0;
  const unsigned all = mine * stretch.passes;
  const auto offset = [&](unsigned n) {
    const unsigned turn = n / mine * static_cast<unsigned>(stretch.rotation) % tiles;
    const unsigned tile = blockIdx.x + n % mine * gridDim.x + turn;
    return std::size_t{tile < tiles ? tile : tile - tiles} * chunk_bytes;
  };
  const auto fetch = [&](unsigned n) {
    std::uint64_t* barrier = &arrived[n % kBulkStages];
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, chunk_bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stages + n % kBulkStages * chunk_bytes,
                       stretch.from + offset(n), chunk_bytes, barrier);
  };
  const auto wait_for = [&](unsigned n) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[n % kBulkStages], n / kBulkStages & 1)) {
    }
  };
  const auto send = [&](unsigned n) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, stretch.to + offset(n),
                       stages + n % kBulkStages * chunk_bytes, chunk_bytes);
    ptx::cp_async_bulk_commit_group();
  };

  for (unsigned i = threadIdx.x * 4; i < kBulkStages * chunk_bytes; i += blockDim.x * 4)
    *reinterpret_cast<std::uint32_t*>(stages + i) = (i + blockIdx.x) * 2654435761u + 1;
  if (threadIdx.x == 0) {
    for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;

  if constexpr (kWay == Way::write) {
    for (unsigned n = 0; n < all; ++n) {
      send(n);
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<kBulkStages>());
    }
  } else {
    for (unsigned n = 0; n < kBulkStages && n < all; ++n) fetch(n);
    for (unsigned n = 0; n < all; ++n) {
      wait_for(n);
      if constexpr (kWay == Way::read) {
        if (n + kBulkStages < all) fetch(n + kBulkStages);
      } else {
        send(n);
        // The chunk before this one has left its stage: the next may come in.
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        if (n >= 1 && n - 1 + kBulkStages < all) fetch(n - 1 + kBulkStages);
      }
    }
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
#endif
}

}  // namespace aisp::cuda
