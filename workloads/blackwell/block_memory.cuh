// SPDX-License-Identifier: Apache-2.0
/// \file
/// The shared memory that a launch gave a block, as what the kernel keeps there.
#pragma once

#include <cstddef>

#include "workloads/blackwell/layout.h"

namespace aisp::blackwell {

/// Tiles in it begin where the swizzle's pattern does.
template <class Memory>
__device__ __forceinline__ Memory& block_memory() {
  static_assert(alignof(Memory) == kTileAlignment);
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  return *reinterpret_cast<Memory*>(shared_bytes);
}

}  // namespace aisp::blackwell
