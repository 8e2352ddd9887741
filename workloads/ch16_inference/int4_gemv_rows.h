// SPDX-License-Identifier: Apache-2.0
/// \file
/// Eight rows of 4-bit weights that are read together, and how their lines are asked for ahead of time.
#pragma once

#include <cstdint>

#include "workloads/ch16_inference/int4_gemv.h"

#if defined(__x86_64__)

namespace aisp::int4_gemv {

constexpr int kRows = 8;  ///< at a time: as many accumulators, as many streams

/// Eight rows by where they begin, so that the loop over blocks only adds to addresses.
struct EightRows {
  const std::uint8_t* weights[kRows];
  const Half* scales[kRows];
  std::int64_t row_bytes;
  bool far;  ///< weights come from memory; nearer ones would only pay for being asked for early
};
inline EightRows eight_rows_at(const Layer& s, std::int64_t row) {
  EightRows rows;
  for (int r = 0; r < kRows; ++r) {
    rows.weights[r] = s.weights + (row + r) * s.blocks * kBlockBytes;
    rows.scales[r] = s.weight_scales + (row + r) * s.blocks;
  }
  rows.row_bytes = s.blocks * kBlockBytes;
  rows.far = s.rows * rows.row_bytes > std::int64_t{4} << 20;
  return rows;
}

/// In assembly: GCC takes a function that does nothing but prefetch for one without effect, and leaves out
/// its calls.
inline void into_l1(const void* line) { asm volatile("prefetcht0 (%0)" : : "r"(line)); }
inline void into_l2(const void* line) { asm volatile("prefetcht1 (%0)" : : "r"(line)); }

/// For the L2, what the next eight rows have at this place; for the L1, what comes 256 bytes on. A core has
/// few places for lines on their way into its L1, and memory is too far to wait for in one of them. After the
/// last row there is nothing to fetch, and no harm.
inline void prefetch_ahead(const EightRows& rows, int r, std::int64_t block) {
  const std::uint8_t* weights = rows.weights[r] + block * kBlockBytes;
  into_l2(weights + kRows * rows.row_bytes);
  into_l2(weights + kRows * rows.row_bytes + 64);
  into_l1(weights + 256);
  into_l1(weights + 320);
  if (block % 32 != 0) return;  // a line has the scales of 32 blocks
  const Half* scales = rows.scales[r] + block;
  into_l2(scales + kRows * rows.row_bytes / kBlockBytes);
  into_l1(scales + 32);
}

}  // namespace aisp::int4_gemv

#endif
