// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows of 4-bit weights that are read together, and how their lines are asked for ahead of time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/ch16_inference/int4_gemv.h"

#if defined(__x86_64__)

namespace aisp::int4_gemv {

/// The first of the rows that are read together and how many rows lie between one of them and the next. Far
/// apart, so that each is followed by its next one in memory: long streams, which the core's own prefetchers
/// follow, too. Eight rows side by side are eight streams that end after a row, 5 % slower on an EPYC.
struct Spread {
  std::int64_t first, apart;
  std::int64_t row(int r) const { return first + r * apart; }
};

/// Rows by where they begin, so that the loop over blocks only adds to addresses.
template <int kRows>
struct Rows {
  const std::uint8_t* weights[kRows];
  const Half* scales[kRows];
  bool far;  ///< weights come from memory; nearer ones would only pay for being asked for early
};
template <int kRows>
Rows<kRows> rows_at(const Layer& s, Spread spread) {
  Rows<kRows> rows;
  for (int r = 0; r < kRows; ++r) {
    rows.weights[r] = s.weights + spread.row(r) * s.blocks * kBlockBytes;
    rows.scales[r] = s.weight_scales + spread.row(r) * s.blocks;
  }
  rows.far = s.rows * s.blocks * kBlockBytes > std::int64_t{4} << 20;
  return rows;
}

/// In assembly for two reasons: GCC takes a function that does nothing but prefetch for one without effect
/// and leaves out its calls; and it would keep a pointer for each line that is asked for, more than there are
/// registers, where two offsets do for all rows.
template <int kBytes>
inline void into_l1(const void* base, std::int64_t offset) {
  asm volatile("prefetcht0 %c2(%0,%1)" : : "r"(base), "r"(offset), "i"(kBytes));
}
template <int kBytes>
inline void into_l2(const void* base, std::int64_t offset) {
  asm volatile("prefetcht1 %c2(%0,%1)" : : "r"(base), "r"(offset), "i"(kBytes));
}

/// How often a line is asked for before its use.
enum class Asks : std::uint8_t {
  twice,  ///< into the L2 what comes 32 KiB on in each row's stream, into the L1 what comes 384 bytes on
  once,   ///< straight into the L1, 5 KiB on
};

/// Twice is for cores that have few places for lines on their way into the L1: memory is too far to wait for
/// in one of them. Where there are more, asking once leaves the second question out. Not further ahead: what
/// waits in the L1 must fit beside the activations, which every row reads again. After the last row there is
/// nothing to fetch, and no harm.
template <Asks kAsks, int kRows>
inline void prefetch_ahead(const Rows<kRows>& rows, int r, std::int64_t block) {
  constexpr int kFar = 32 << 10, kNear = kAsks == Asks::once ? 5 << 10 : 384;
  constexpr int kSmaller = kBlockBytes / sizeof(Half);
  const std::int64_t here = block * kBlockBytes;
  const bool at_scales = block % 32 == 0;  // a line has the scales of 32 blocks
  if constexpr (kAsks == Asks::twice) {
    into_l2<kFar>(rows.weights[r], here);
    into_l2<kFar + 64>(rows.weights[r], here);
    if (at_scales) into_l2<kFar / kSmaller>(rows.scales[r], here / kSmaller);
  }
  into_l1<kNear>(rows.weights[r], here);
  into_l1<kNear + 64>(rows.weights[r], here);
  if (at_scales) into_l1<std::max(128, kNear / kSmaller)>(rows.scales[r], here / kSmaller);
}

}  // namespace aisp::int4_gemv

#endif
