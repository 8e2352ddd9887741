// SPDX-License-Identifier: Apache-2.0
// Rung 9: two blocks fetch what both need once.
//
// Tiles one below the other need the same rows of B. Two blocks of a cluster fetch half of them each, and the
// copy engine writes it into the shared memory of both (multicast): 32 KB a step and block from the L2
// instead of 48. A stage is free when both blocks have left it: arrivals go to both. What to look for: bytes
// from the L2, down by a third, and the clocks that the chip keeps up for it.
#include "labs/hopper_matmul/cluster_tiles.cuh"
#include "labs/hopper_matmul/rungs.cuh"

namespace aisp::hopper_matmul {

void cluster(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  launch_cluster_tiles<Shape<256, 4, 2>, RowAfterRow, Straight>(product, stream);
}

}  // namespace aisp::hopper_matmul
