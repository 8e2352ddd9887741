// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tensor memory, emulated. What the manual forbids is told: columns that were not taken, lanes of another
/// warp, columns given back by another warp, reads and products without a fence.
#pragma once

#include <limits>

#include "workloads/hopper/mbarrier.cuh"

namespace aisp::blackwell {

constexpr int kTakenFrom = 0;

inline void forbid(bool what, const char* name) {
  if (what) emulated::monitor().fail(name);
}

/// What was there is no number: a sum that nothing was written to shows.
template <int kBlocks, int kColumns>
void take_columns(std::uint32_t* address) {
  static_assert(kColumns == columns_to_allocate(kColumns) && kColumns <= kMemoryColumns);
  __syncwarp();  // the whole warp
  if (threadIdx.x % 32 == 0) {
    emulated::Block& block = *emulated::self().block;
    forbid(block.columns_taken != 0, "takes columns twice");
    block.columns_taken = kColumns;
    block.warp_that_took = static_cast<int>(threadIdx.x / 32);
    for (auto& lane : block.tensor) lane.fill(std::numeric_limits<float>::quiet_NaN());
    *address = kTakenFrom;
  }
  __syncwarp();
}
template <int kBlocks, int kColumns>
void give_columns_back(std::uint32_t address) {
  __syncwarp();
  if (threadIdx.x % 32 != 0) return;
  emulated::Block& block = *emulated::self().block;
  forbid(address != kTakenFrom || block.columns_taken != kColumns, "gives back what it did not take");
  forbid(block.warp_that_took != static_cast<int>(threadIdx.x / 32), "another warp gives columns back");
  block.columns_taken = 0;
}

inline void fence_before_threads_meet() { emulated::self().reads_open = false; }
inline void fence_after_threads_met() { emulated::self().fenced = true; }

inline void load_columns(std::uint32_t address, float (&sums)[kLoadColumns]) {
  __syncwarp();  // the whole warp
  const emulated::Block& block = *emulated::self().block;
  const auto first = static_cast<int>(address >> 16), column = static_cast<int>(address & 0xffff);
  forbid(!emulated::self().fenced, "loads sums without a fence after it waited for them");
  forbid(first != static_cast<int>(threadIdx.x / 32 % 4 * 32), "a warp loads lanes that it cannot reach");
  forbid(column + kLoadColumns > block.columns_taken, "loads columns that were not taken");
  for (int i = 0; i < kLoadColumns; ++i)
    sums[i] =
        block
            .tensor[static_cast<std::size_t>(first) + threadIdx.x % 32][static_cast<std::size_t>(column + i)];
  emulated::self().reads_open = true;
}

}  // namespace aisp::blackwell
