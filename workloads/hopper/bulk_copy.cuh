// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bytes that lie in a row, from device memory to shared memory by the copy engine. As tile_copy.cuh, but
/// without a map: addresses and sizes are multiples of 16.
#pragma once

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

/// One thread asks; `arrived` counts the bytes.
__device__ __forceinline__ void load_bytes(void* to, const void* from, unsigned bytes, Barrier& arrived) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(shared_address(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes),
                 "r"(arrived.address())
               : "memory");
}

}  // namespace aisp::hopper
