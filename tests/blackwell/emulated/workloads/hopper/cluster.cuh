// SPDX-License-Identifier: Apache-2.0
/// \file
/// A cluster's blocks, emulated.
#pragma once

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

inline unsigned cluster_rank() { return emulated::self().block->rank; }
inline void cluster_barrier() {
  emulated::before_others("meeting the cluster");
  emulated::meet(emulated::self().block->cluster.meeting, "its cluster");
  emulated::after_others();
}
inline std::uint32_t address_in(const void* pointer, unsigned rank) {
  return (shared_address(pointer) & 0xffffff) | rank << 24;
}

}  // namespace aisp::hopper
