// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 6: sums leave through shared memory and the copy engine.
///
/// A thread has a row: 32 threads that store 16 bytes each touch 32 lines. Through a swizzled tile of 32 rows
/// of 128 bytes, a warp's own, the copy engine stores whole lines, and the set of sums is free for the next
/// product as soon as it has been read. What to look for: the sectors of a store request, and the time
/// between `done` and `free`.
#pragma once

#include "labs/blackwell_matmul/roles.cuh"

namespace aisp::blackwell_matmul {

inline void tma_store(const Product& product, cudaStream_t stream) {
  launch_roles<LargeTiles, Alone, Strided, Staged>(product, stream);
}

}  // namespace aisp::blackwell_matmul
