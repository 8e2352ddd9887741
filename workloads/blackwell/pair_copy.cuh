// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads by the copy engine for a pair of blocks: into this block's shared memory, counted by a barrier of
/// the block that asks for the products.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::blackwell {

/// The box whose first value is at (row, column). `arrived` is an address in the cluster
/// (hopper::address_in).
__device__ __forceinline__ void load_tile_of_pair(void* to, const CUtensorMap& map, int row, int column,
                                                  std::uint32_t arrived) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [%0], "
      "[%1, {%2, %3}], [%4];"
      :
      : "r"(hopper::shared_address(to)), "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(column), "r"(row),
        "r"(arrived)
      : "memory");
}

}  // namespace aisp::blackwell
