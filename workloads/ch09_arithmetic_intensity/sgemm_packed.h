// SPDX-License-Identifier: Apache-2.0
/// \file
/// C = A B in row-major fp32 through packed blocks: the third rung of ch09/sgemm, for any m, n, k >= 1.
///
///   PackedProduct product(best_sgemm_kernel(), m, n, k, threads);      // allocates, once
///   product.run(a, b, c);                                              // one thread
///   product.run(a, b, c, call.team());                                 // the same blocks, shared out
///
/// Not a BLAS: no transposition, no scaling, contiguous matrices only.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "aisp/core/team.h"
#include "workloads/ch09_arithmetic_intensity/sgemm_kernels.h"

namespace aisp::sgemm {

class PackedProduct {
 public:
  PackedProduct(const SgemmKernel& kernel, std::int64_t m, std::int64_t n, std::int64_t k, int threads);

  void run(const float* a, const float* b, float* c);
  /// The team may be smaller than the `threads` of the constructor, never larger.
  void run(const float* a, const float* b, float* c, Team& team);

  /// What the constructor allocates, in bytes.
  static std::size_t workspace_bytes(const SgemmKernel& kernel, std::int64_t m, std::int64_t n,
                                     std::int64_t k, int threads);

 private:
  struct Block {
    std::int64_t first = 0;
    std::int64_t size = 0;
  };
  template <class Parallel>
  void run_blocks(const float* a, const float* b, float* c, const Parallel& parallel);
  void pack_b(const float* b, Block depth, Block columns);
  void multiply(const float* a, float* c, Block depth, Block columns, int thread, int threads);
  void multiply_block(float* c, const float* packed_a, Block rows, Block depth, Block columns) const;

  const SgemmKernel& kernel_;
  std::int64_t m_, n_, k_;
  std::int64_t kc_, mc_, nc_;  ///< the kernel's blocks, shrunk so that the last one is not a sliver
  int threads_;
  std::size_t a_floats_;  ///< packed block of A of one thread
  std::unique_ptr<float, decltype(&std::free)> workspace_;
  float* packed_b_;
  std::atomic<std::int64_t> next_{0};  ///< where the next piece of the current step begins
};

}  // namespace aisp::sgemm
