// SPDX-License-Identifier: Apache-2.0
/// \file
/// A block's shared memory, emulated.
#pragma once

#include "words.h"

namespace aisp::blackwell {

template <class Memory>
Memory& block_memory() {
  static_assert(alignof(Memory) == kTileAlignment);
  return *reinterpret_cast<Memory*>(emulated::self().block->shared);
}

}  // namespace aisp::blackwell
