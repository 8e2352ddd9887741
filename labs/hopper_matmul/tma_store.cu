// SPDX-License-Identifier: Apache-2.0
// Rung 10: sums leave through shared memory and the copy engine.
//
// Straight from registers a thread stores 4 bytes at a time, and the product of the next tile waits until all
// 64 of them are issued. stmatrix puts eight rows of 16 bytes into shared memory with one instruction of a
// warp; the copy engine writes whole lines from there, leaves out what lies beyond the matrix, and nobody
// waits for it. What to look for: store instructions, and the time from a tile's last product to the next
// one's first.
#include "labs/hopper_matmul/cluster_tiles.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "labs/hopper_matmul/staged.cuh"

namespace aisp::hopper_matmul {

void tma_store(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  launch_cluster_tiles<Shape<256, 4, 2>, RowAfterRow, Staged>(product, stream);
}

}  // namespace aisp::hopper_matmul
