// SPDX-License-Identifier: Apache-2.0
/// \file
/// The last rung with a given width of tiles, for those who choose.
#pragma once

#include "labs/hopper_matmul/product.cuh"

namespace aisp::hopper_matmul {

/// `columns` is one of kWidths (tile_choice.h); the product is aligned().
void l2_order_of_width(const Product& product, int columns, cudaStream_t stream);

}  // namespace aisp::hopper_matmul
