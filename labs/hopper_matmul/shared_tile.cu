// SPDX-License-Identifier: Apache-2.0
// Rung 2: tiles in shared memory.
//
// An element of A serves a whole row of D and an element of B a whole column. A block fetches 32 x 32 of each
// once and all of its 1024 threads use it 32 times. What to look for: still two loads for every multiply-add,
// now from shared memory, which gives a warp one of them a clock.
#include "labs/hopper_matmul/shared_tile.cuh"

#include "labs/hopper_matmul/rungs.cuh"

namespace aisp::hopper_matmul {

void shared_tile(const Product& product, cudaStream_t stream) { launch_shared(product, stream); }

}  // namespace aisp::hopper_matmul
