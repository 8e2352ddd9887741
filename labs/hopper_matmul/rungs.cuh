// SPDX-License-Identifier: Apache-2.0
/// \file
/// D = A B^T of bf16: the rungs of labs/hopper_matmul, a file each, in the order of the ladder.
///
/// A is m x k, B is n x k, D is m x n, all row-major: both inputs have k contiguous, as a linear layer stores
/// its activations and its weights. Products are summed in single precision and rounded once.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace aisp::hopper_matmul {

using Bf16 = __nv_bfloat16;

struct Product {
  const Bf16* a;
  const Bf16* b;
  Bf16* d;
  int m, n, k;

  /// 16-byte accesses and the copy engine need rows that begin at multiples of 16 bytes.
  bool aligned() const { return n % 8 == 0 && k % 8 == 0; }
};

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

}  // namespace aisp::hopper_matmul
