// SPDX-License-Identifier: Apache-2.0
// Rung 12, the last: small products, of which every multiprocessor gets one tile.
//
// At 1024 the product itself takes the tensor cores 2.2 µs, and rung 11 takes 7: its blocks wait for each
// other before anything is fetched, hand registers around, fetch ahead for a tile that never comes, and wait
// for the copy engine when they store. Here a block fetches as its first act, and its sums leave a warp at a
// time. Tiles of 64 x 128 instead of 128 x 64: the same bytes to fetch, but one instruction on 128 columns
// reads less shared memory than two on 64, and shared memory is what both the copy engine and the matrix
// units wait for. Sizes with more tiles than multiprocessors are left to rung 11 (tile_choice.h). What to
// look for: the time from the launch to the first product, and from the last one to the end.
#include "labs/hopper_matmul/one_wave.cuh"

#include "labs/hopper_matmul/one_wave_tiles.cuh"
#include "labs/hopper_matmul/rungs.cuh"

namespace aisp::hopper_matmul {

void one_wave_of(const Product& product, WaveTile tile, cudaStream_t stream) {
  launch_wave_tile(product, tile, stream);
}

void one_wave(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  static const auto processors = static_cast<int>(gpu::processors());
  const auto tile = wave_tile(product.m, product.n, product.k, processors);
  if (!tile) return l2_order(product, stream);
  one_wave_of(product, *tile, stream);
}

}  // namespace aisp::hopper_matmul
