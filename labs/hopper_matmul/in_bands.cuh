// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tiles in bands, of a chosen width, for all types: what rung 11 and the last rungs for fp8 and tf32 launch.
#pragma once

#include "labs/hopper_matmul/cluster_tiles.cuh"
#include "labs/hopper_matmul/staged.cuh"

namespace aisp::hopper_matmul {

struct InBands {
  static constexpr int kBand = 8;
  __device__ static hopper::Tile tile(hopper::TileGrid grid, int i) {
    return hopper::banded_tile(grid, kBand, i);
  }
};

/// `columns` is one of kWidths (tile_choice.h); the product is aligned().
template <class Problem>
void launch_in_bands(const Problem& product, int columns, cudaStream_t stream) {
  // As many stages as fit: narrow tiles need more of them in flight.
  if (columns == 256)
    return launch_cluster_tiles<Shape<256, 4, 2, Problem>, InBands, Staged>(product, stream);
  if (columns == 128)
    return launch_cluster_tiles<Shape<128, 6, 2, Problem>, InBands, Staged>(product, stream);
  launch_cluster_tiles<Shape<64, 8, 2, Problem>, InBands, Staged>(product, stream);
}

}  // namespace aisp::hopper_matmul
