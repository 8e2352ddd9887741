// SPDX-License-Identifier: Apache-2.0
/// \file
/// D = A B^T of bf16: the rungs of labs/hopper_matmul, a file each, in the order of the ladder.
#pragma once

#include "labs/hopper_matmul/product.cuh"

namespace aisp::hopper_matmul {

/// Queues the product and returns. All take every size; from `registers` on, sizes that are not aligned() are
/// left to `shared_tile`.
void naive(const Product& product, cudaStream_t stream);
void shared_tile(const Product& product, cudaStream_t stream);
void register_tile(const Product& product, cudaStream_t stream);
void mma_sync(const Product& product, cudaStream_t stream);
void wgmma_tma(const Product& product, cudaStream_t stream);
void large_tile(const Product& product, cudaStream_t stream);
void specialised(const Product& product, cudaStream_t stream);
void persistent(const Product& product, cudaStream_t stream);
void cluster(const Product& product, cudaStream_t stream);
void tma_store(const Product& product, cudaStream_t stream);
void l2_order(const Product& product, cudaStream_t stream);
void one_wave(const Product& product, cudaStream_t stream);

}  // namespace aisp::hopper_matmul
