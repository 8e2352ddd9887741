// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tensor cores by the instruction of one warp, for tiles in shared memory that are swizzled as the copy
/// engine does it (layout.h): by cp.async here, or by the engine itself.
///
///   copy_piece(tile + swizzled(row, piece * 16), from, inside);      // 16 bytes, behind the thread's back
///   load_matrices(b, tile, row, piece);                              // four 8 x 8 matrices to registers
///   multiply_16x8(sums, a, b[0], b[1]);
#pragma once

#include <cstdint>

#include "workloads/hopper/layout.h"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper {

/// Zeros where `inside` is false; `from` must be an address that may be named all the same.
__device__ __forceinline__ void copy_piece(std::uint32_t to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(to), "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}
/// The copies since the last call are one group.
__device__ __forceinline__ void end_copies() { asm volatile("cp.async.commit_group;" : : : "memory"); }
/// Until all but the latest `kGroups` groups of this thread have come.
template <int kGroups>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" : : "n"(kGroups) : "memory");
}

/// Matrix i comes from the eight rows that lanes 8 i to 8 i + 7 name; a lane gets two neighbours of row
/// lane / 4.
__device__ __forceinline__ void load_matrices(std::uint32_t (&m)[4], std::uint32_t tile, int row, int piece) {
  const std::uint32_t address =
      tile + swizzled(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(piece) * kPieceBytes);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address)
               : "memory");
}
/// Each matrix turned: a lane gets two neighbours of column lane / 4.
__device__ __forceinline__ void load_turned_matrices(std::uint32_t (&m)[4], std::uint32_t tile, int row,
                                                     int piece) {
  const std::uint32_t address =
      tile + swizzled(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(piece) * kPieceBytes);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address)
               : "memory");
}

/// Of 8 x 8 values, two neighbours of row lane / 4 in each lane, two neighbours of column lane / 4.
__device__ __forceinline__ std::uint32_t turned_matrix(std::uint32_t pair) {
  std::uint32_t result;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(pair));
  return result;
}

/// d += A B: A is 16 x 16, B is 16 x 8.
__device__ __forceinline__ void multiply_16x8(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                              std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace aisp::hopper
