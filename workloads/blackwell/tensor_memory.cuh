// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tensor memory: taking it, giving it back, reading it, and ordering that with what other threads do.
///
///   if (warp == 0) take_columns<1, 128>(address_in_shared);          // a whole warp
///   fence_before_threads_meet(); __syncthreads(); fence_after_threads_met();
///   ...
///   float sums[32]; load_columns(memory_address(base, first_lane(warp), column), sums);
///   fence_before_threads_meet(); __syncthreads(); fence_after_threads_met();
///   if (warp == 0) give_columns_back<1, 128>(base);                  // the same warp
///
/// kBlocks is 1, or 2 for blocks that multiply as a pair: then a warp of each takes part. One function may
/// not use both (ptxas refuses).
#pragma once

#include <cstdint>

#include "workloads/blackwell/layout.h"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::blackwell {

/// By one whole warp. Waits while other blocks on the multiprocessor have the columns. Writes the address
/// into shared memory, and says that this block will take no more.
template <int kBlocks, int kColumns>
__device__ __forceinline__ void take_columns(std::uint32_t* address) {
  static_assert(kColumns == columns_to_allocate(kColumns) && kColumns <= kMemoryColumns);
  if constexpr (kBlocks == 1) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
                 :
                 : "r"(hopper::shared_address(address)), "n"(kColumns)
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" : : : "memory");
  } else {
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;"
                 :
                 : "r"(hopper::shared_address(address)), "n"(kColumns)
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;" : : : "memory");
  }
}

/// By the warp that took them, when nobody reads or writes them any more; of a pair, in neither block.
template <int kBlocks, int kColumns>
__device__ __forceinline__ void give_columns_back(std::uint32_t address) {
  if constexpr (kBlocks == 1) {
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;"
                 :
                 : "r"(address), "n"(kColumns)
                 : "memory");
  } else {
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;"
                 :
                 : "r"(address), "n"(kColumns)
                 : "memory");
  }
}

/// What this thread did to tensor memory is before whatever follows a barrier, and the other way round: on
/// both sides of every barrier that hands tensor memory from thread to thread.
__device__ __forceinline__ void fence_before_threads_meet() {
  asm volatile("tcgen05.fence::before_thread_sync;" : : : "memory");
}
__device__ __forceinline__ void fence_after_threads_met() {
  asm volatile("tcgen05.fence::after_thread_sync;" : : : "memory");
}

// clang-format off
#define AISP_LOADED_4(I) "=f"(sums[(I)]), "=f"(sums[(I) + 1]), "=f"(sums[(I) + 2]), "=f"(sums[(I) + 3])
#define AISP_LOADED_16(I) \
  AISP_LOADED_4(I), AISP_LOADED_4((I) + 4), AISP_LOADED_4((I) + 8), AISP_LOADED_4((I) + 12)
// clang-format on

/// By one whole warp, whose lanes `address` names: a lane of the warp gets 32 columns of its lane. The
/// registers hold nothing before the wait; both are one statement, so that the compiler cannot use them
/// between. While one warp waits the others of the four load.
__device__ __forceinline__ void load_columns(std::uint32_t address, float (&sums)[kLoadColumns]) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];\n"
      "tcgen05.wait::ld.sync.aligned;\n"
      : AISP_LOADED_16(0), AISP_LOADED_16(16)
      : "r"(address)
      : "memory");
}
#undef AISP_LOADED_16
#undef AISP_LOADED_4

}  // namespace aisp::blackwell
