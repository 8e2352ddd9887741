// SPDX-License-Identifier: Apache-2.0
/// \file
/// Blocks of a cluster, groups of four warps, and what they may use: ranks, barriers, registers.
#pragma once

#include <cstdint>

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

constexpr int kGroupThreads = 128;  ///< of a warpgroup: four warps, the first a multiple of four

__device__ __forceinline__ unsigned cluster_rank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// All threads of all blocks of the cluster. Before it a block may not touch another's shared memory, since
/// that may not have started; after the last one it may not either, since that may have ended.
__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" : : : "memory");
}

/// Where `pointer`, into this block's shared memory, would lie in that of block `rank`.
__device__ __forceinline__ std::uint32_t address_in(const void* pointer, unsigned rank) {
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(pointer)), "r"(rank));
  return there;
}
__device__ __forceinline__ void store_in_cluster(std::uint32_t address, std::uint32_t value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(address), "r"(value) : "memory");
}

/// A barrier of `threads` threads of the block. Number 0 is __syncthreads().
__device__ __forceinline__ void group_barrier(int number, int threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory");
}

/// The same without waiting: others who sync on it need not be waited for.
__device__ __forceinline__ void arrive_at_group_barrier(int number, int threads) {
  asm volatile("bar.arrive %0, %1;" : : "r"(number), "r"(threads) : "memory");
}

/// By whole warpgroups, in one branch for each role: gives registers back, or takes what others gave. Needs
/// __launch_bounds__(threads, 1), which says what every thread begins with.
template <int kRegisters>
__device__ __forceinline__ void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(kRegisters));
}

/// Which warpgroup of the block, as a value that the compiler knows to be the same in all lanes.
__device__ __forceinline__ int group_index() {
  return __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / kGroupThreads, 0);
}

}  // namespace aisp::hopper
