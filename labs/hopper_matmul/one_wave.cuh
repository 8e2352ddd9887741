// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rung 12 with a given tile, for those who choose.
#pragma once

#include "labs/hopper_matmul/product.cuh"
#include "labs/hopper_matmul/tile_choice.h"

namespace aisp::hopper_matmul {

/// The product is aligned(), and of any size: where there are more tiles than multiprocessors they queue.
void one_wave_of(const Product& product, WaveTile tile, cudaStream_t stream);

}  // namespace aisp::hopper_matmul
