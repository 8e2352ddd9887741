// SPDX-License-Identifier: Apache-2.0
// Rung 5: Hopper's own matrix instructions (wgmma), on tiles that its copy engine (TMA) brings.
//
// wgmma reads both inputs from shared memory itself: no ldmatrix, no registers but for the sums, and four
// warps on 64 x 128 at once. The copy engine brings a tile for one instruction of one thread, lays it out as
// wgmma wants it, and puts zeros where the matrix ends. The tile of D stays at 128 x 128. What to look for:
// HGMMA in the code, and the wait for products after each step, in which nothing is queued.
#include "labs/hopper_matmul/block_tiles.cuh"
#include "labs/hopper_matmul/rungs.cuh"

namespace aisp::hopper_matmul {

void wgmma_tma(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  launch_block_tiles<Shape<128, 4>>(product, stream);
}

}  // namespace aisp::hopper_matmul
