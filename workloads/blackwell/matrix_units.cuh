// SPDX-License-Identifier: Apache-2.0
/// \file
/// Blackwell's matrix instruction (tcgen05.mma): one thread asks, both inputs come from shared memory, the
/// sums stay in tensor memory.
///
///   for (int s = 0; s < 4; ++s) multiply<1>(sums, a + s * kSliceStep, b + s * kSliceStep, shape, s > 0);
///   arrive_when_multiplied(barrier);          // all products that this thread asked for before
///
/// Products into the same sums are done in the order they were asked for; nothing else is ordered but through
/// the barrier. kBlocks = 2: a thread of either block of a pair asks, for both. Each block has half of A's
/// rows and half of B's, at the same places of its shared memory, and gets half of the sums' rows.
///
/// A kernel's body stands between #ifdef AISP_TCGEN05 and #endif: in code for other devices it is empty.
#pragma once

#include <cstdint>

#include "workloads/blackwell/layout.h"
#include "workloads/hopper/mbarrier.cuh"

#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
#define AISP_TCGEN05
#endif

namespace aisp::blackwell {

/// One lane of a converged warp, chosen so that the compiler knows it is one: what asks the engines takes its
/// operands from registers that a warp shares.
__device__ __forceinline__ bool elected() {
  unsigned chosen;
  asm volatile(
      "{\n.reg .pred chosen;\n"
      "elect.sync _|chosen, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, chosen;\n}\n"
      : "=r"(chosen));
  return chosen != 0;
}

/// sums (+)= A B^T for 32 bytes of k. Without `add` the old sums are dropped.
template <int kBlocks>
__device__ __forceinline__ void multiply(std::uint32_t sums, std::uint64_t a, std::uint64_t b,
                                         std::uint32_t shape, bool add) {
  if constexpr (kBlocks == 1) {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %4, 0;\n"
        "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, add;\n}\n"
        :
        : "r"(sums), "l"(a), "l"(b), "r"(shape), "r"(static_cast<int>(add))
        : "memory");
  } else {
    asm volatile(
        "{\n.reg .pred add;\nsetp.ne.b32 add, %4, 0;\n"
        "tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, add;\n}\n"
        :
        : "r"(sums), "l"(a), "l"(b), "r"(shape), "r"(static_cast<int>(add))
        : "memory");
  }
}

/// One step along k: 128 bytes of rows, in slices of 32.
template <int kBlocks>
__device__ __forceinline__ void multiply_step(std::uint32_t sums, const void* a, const void* b,
                                              std::uint32_t shape, bool add) {
  const std::uint64_t of_a = tile_descriptor(hopper::shared_address(a)),
                      of_b = tile_descriptor(hopper::shared_address(b));
#pragma unroll
  for (int slice = 0; slice < kRowValues / kSlice; ++slice)
    multiply<kBlocks>(sums, of_a + slice * kSliceStep, of_b + slice * kSliceStep, shape, add || slice > 0);
}

/// The barrier gets one arrival when all that this thread asked for is done: the tiles have been read and the
/// sums are there, for whoever waits and then fences.
__device__ __forceinline__ void arrive_when_multiplied(hopper::Barrier& barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];"
               :
               : "r"(barrier.address())
               : "memory");
}
/// Of a pair: the same barrier of each block whose bit is set gets one.
__device__ __forceinline__ void arrive_when_multiplied(hopper::Barrier& barrier, std::uint16_t blocks) {
  asm volatile(
      "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;"
      :
      : "r"(barrier.address()), "h"(blocks)
      : "memory");
}

}  // namespace aisp::blackwell
