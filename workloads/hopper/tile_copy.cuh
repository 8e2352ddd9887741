// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tiles between device memory and shared memory by the copy engine. One thread asks; nobody's registers are
/// used. Loads are counted, in bytes, by a barrier in shared memory; stores by groups, as the thread that
/// asked.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

__device__ __forceinline__ void prefetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" : : "l"(reinterpret_cast<std::uint64_t>(&map)) : "memory");
}

/// The box whose first value is at (row, column). All of its bytes are counted, those beyond the matrix too.
__device__ __forceinline__ void load_tile(void* to, const CUtensorMap& map, int row, int column,
                                          Barrier& arrived) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];"
      :
      : "r"(shared_address(to)), "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row),
        "r"(arrived.address())
      : "memory");
}

/// The same of matrix `matrix` of a stack.
__device__ __forceinline__ void load_tile(void* to, const CUtensorMap& map, int matrix, int row, int column,
                                          Barrier& arrived) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
      "[%5];"
      :
      : "r"(shared_address(to)), "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row),
        "r"(matrix), "r"(arrived.address())
      : "memory");
}

/// The same into every block of the cluster whose bit is set in `blocks`, at the same place, counted by each
/// one's own barrier.
__device__ __forceinline__ void load_tile_for(std::uint16_t blocks, void* to, const CUtensorMap& map, int row,
                                              int column, Barrier& arrived) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3}], [%4], %5;"
      :
      : "r"(shared_address(to)), "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row),
        "r"(arrived.address()), "h"(blocks)
      : "memory");
}

/// What lies beyond the matrix is not written. Writers of `from` have called fence_writes_for_engines().
__device__ __forceinline__ void store_tile(const CUtensorMap& map, int row, int column, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
               :
               : "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(shared_address(from))
               : "memory");
}
/// To matrix `matrix` of a stack.
__device__ __forceinline__ void store_tile(const CUtensorMap& map, int matrix, int row, int column,
                                           const void* from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
               :
               : "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row), "r"(matrix),
                 "r"(shared_address(from))
               : "memory");
}
/// The stores asked for since the last call are one group.
__device__ __forceinline__ void end_store_group() {
  asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}
/// Until all but the latest `kGroups` groups have read shared memory.
template <int kGroups>
__device__ __forceinline__ void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(kGroups) : "memory");
}
/// Until all of this thread's stores are done. Shared memory must not end before.
__device__ __forceinline__ void wait_until_stored() {
  asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
}

}  // namespace aisp::hopper
