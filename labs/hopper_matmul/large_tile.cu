// SPDX-License-Identifier: Apache-2.0
// Rung 6: tiles of 128 x 256.
//
// For a step of 64 along k, a tile of 128 x 128 brings 32 KB for 2.1 MFlop, one of 128 x 256 48 KB for twice
// as many: a quarter less to bring, and each row of A read by an instruction serves 256 columns. A thread has
// 128 sums; more than 256 columns no instruction takes. What to look for: bytes from the L2 for each flop.
#include "labs/hopper_matmul/block_tiles.cuh"
#include "labs/hopper_matmul/rungs.cuh"

namespace aisp::hopper_matmul {

void large_tile(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  launch_block_tiles<Shape<256, 4>>(product, stream);
}

}  // namespace aisp::hopper_matmul
