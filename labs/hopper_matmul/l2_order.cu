// SPDX-License-Identifier: Apache-2.0
// Rung 11, the last: an order of tiles that the L2 cache likes, and tiles that fit the size.
//
// Row after row, 66 clusters of two tiles at 8192 have 2 x 32 tiles in flight: 512 rows of A, all of B, which
// with 134 MB comes from memory again for each pair of rows. In bands of eight rows, column after column,
// they are a square of 2048 x 2112: half as many rows of A and B together, and most of them meet in the
// cache. Small sizes get narrower tiles, so that all multiprocessors have one (tile_choice.h). What to look
// for: bytes from device memory, and multiprocessors without work in the last round.
#include "labs/hopper_matmul/l2_order.cuh"

#include "labs/hopper_matmul/in_bands.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "labs/hopper_matmul/tile_choice.h"

namespace aisp::hopper_matmul {

void l2_order_of_width(const Product& product, int columns, cudaStream_t stream) {
  launch_in_bands(product, columns, stream);
}

void l2_order(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  static const int clusters = static_cast<int>(gpu::processors()) / 2;
  l2_order_of_width(product, best_width(product.m, product.n, product.k, clusters), stream);
}

}  // namespace aisp::hopper_matmul
