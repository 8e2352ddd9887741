// SPDX-License-Identifier: Apache-2.0
/// \file
/// The micro-kernels of ch09/sgemm: each multiplies one packed sliver of A by one packed sliver of B into a
/// tile of C that never leaves the registers. One table row per instruction set, chosen at run time.
///
///   const SgemmKernel& kernel = best_sgemm_kernel();          // AVX-512, AVX2+FMA or portable
///   kernel.pack_a(a, lda, rows, depth, packed_a);             // slivers of kernel.mr rows
///   kernel.tile(depth, packed_a, packed_b, c, ldc, false, packed_b);
///
/// Not a matrix product: the loops over blocks and threads are in sgemm_packed.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace aisp::sgemm {

struct SgemmKernel {
  std::string_view name;
  std::int64_t mr;  ///< rows of the register tile
  std::int64_t nr;  ///< columns of the register tile
  std::int64_t kc;  ///< depth of a block: a sliver of B (kc x nr) is read from the L1 or the near L2
  std::int64_t mc;  ///< rows of a block of A (mc x kc floats), which stays in the L2
  std::int64_t nc;  ///< columns of a block of B (kc x nc floats), which stays in the L3
  bool (*runs_here)();

  /// c[mr x nr] = a b, plus the old c if `accumulate`. `ahead` is memory wanted soon; it is prefetched, not
  /// read.
  void (*tile)(std::int64_t depth, const float* a, const float* b, float* c, std::int64_t ldc,
               bool accumulate, const float* ahead);
  /// Copies rows x depth of A into slivers of mr rows stored depth-major; the last sliver is padded with
  /// zeros.
  void (*pack_a)(const float* a, std::int64_t lda, std::int64_t rows, std::int64_t depth, float* packed);
  /// Copies depth x columns of B into slivers of nr columns, padded likewise.
  void (*pack_b)(const float* b, std::int64_t ldb, std::int64_t depth, std::int64_t columns, float* packed);
};

/// Every kernel of this binary, widest first; those whose runs_here() is false must not be called.
std::span<const SgemmKernel> sgemm_kernels();
/// The widest kernel this CPU can execute. The portable one always can.
const SgemmKernel& best_sgemm_kernel();
/// The kernel of that name, or null.
const SgemmKernel* find_sgemm_kernel(std::string_view name);

}  // namespace aisp::sgemm
