// SPDX-License-Identifier: Apache-2.0
/// \file
/// Peaks of memory as far as they tell variants apart. On a CPU they are counted in resident pages, by
/// counters that the kernel keeps in batches for each processor, and a stack, the heap's bins and the pages
/// of code that runs for the first time are among them: three equal runs of one variant gave 8, 100 and
/// 8 KiB. On a GPU the driver's own records of each allocation are added up: those are exact.
///
///   memory_of(8192, "cpu")             // 8 KiB, [0, 136 KiB]
///   same_memory(8192, 102400, "cpu")   // true
#pragma once

#include <algorithm>
#include <string_view>

#include "aisp/core/record.h"
#include "aisp/core/workload.h"

namespace aisp {

/// To either side of a peak in resident pages: together what the batches of two processors come to, 32 pages
/// each, and more than was seen between equal runs (docs/design/analysis.md).
inline constexpr double kPageNoise = 128 * 1024;
/// Of a large one this share: what threads of a library take differs from run to run.
inline constexpr double kPageShare = 0.03;
/// Up to this a variant cannot be told from one that holds nothing.
inline constexpr double kNoMemory = 2 * kPageNoise;

/// Whether the device's memory is counted in pages, and not byte by byte.
inline bool counts_pages(std::string_view device) { return kind_of(device) == DeviceKind::cpu; }

inline Estimate memory_of(double bytes, std::string_view device) {
  const double off = counts_pages(device) ? std::max(kPageNoise, kPageShare * bytes) : 0;
  return {bytes, std::max(bytes - off, 0.0), bytes + off};
}

/// Whether what the first holds is surely less.
inline bool less_memory(double bytes, double other, std::string_view device) {
  return memory_of(bytes, device).high < memory_of(other, device).low;
}

inline bool same_memory(double bytes, double other, std::string_view device) {
  return !less_memory(bytes, other, device) && !less_memory(other, bytes, device);
}

}  // namespace aisp
