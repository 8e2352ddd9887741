// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work that has not started yet, taken over by a block that runs (cluster launch control): the grid has a
/// cluster for each piece of work, and whoever is done asks the hardware for one that is still waiting.
///
///   given.arrive_expecting(16);  ask_for_cluster(answer, given);     // one thread
///   given.wait_for_cluster(parity);
///   if (const auto first = given_block(answer)) ...                  // its blockIdx.x, else nothing is left
///
/// After an answer that nothing is left a block must not ask again.
#pragma once

#include <cstdint>

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::blackwell {

constexpr unsigned kAnswerBytes = 16;
constexpr int kNothingLeft = -1;

struct alignas(16) Answer {
  std::uint64_t parts[2];  ///< the hardware's: read it with given_block()
};

/// Asks; the answer comes as bytes that `given` counts.
__device__ __forceinline__ void ask_for_cluster(Answer& answer, hopper::Barrier& given) {
  asm volatile(
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];"
      :
      : "r"(hopper::shared_address(&answer)), "r"(given.address())
      : "memory");
}
/// The same by one thread of a cluster, for all its blocks: each gets the answer at the same place and counts
/// it by its own barrier.
__device__ __forceinline__ void ask_for_all_blocks(Answer& answer, hopper::Barrier& given) {
  asm volatile(
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
      ".multicast::cluster::all.b128 [%0], [%1];"
      :
      : "r"(hopper::shared_address(&answer)), "r"(given.address())
      : "memory");
}

/// blockIdx.x of the first block of the cluster that was given, or kNothingLeft. The fence orders this read
/// before the engine's next write to the same place: the reader arrives at a barrier after this.
__device__ __forceinline__ int given_block(const Answer& answer) {
  int first;
  asm volatile(
      "{\n.reg .b128 answer;\n.reg .pred given;\n"
      "ld.shared.b128 answer, [%1];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 given, answer;\n"
      "mov.b32 %0, -1;\n"
      "@given clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, answer;\n"
      "fence.proxy.async.shared::cta;\n}\n"
      : "=r"(first)
      : "r"(hopper::shared_address(&answer))
      : "memory");
  return first;
}

}  // namespace aisp::blackwell
