// SPDX-License-Identifier: Apache-2.0
/// \file
/// How wide a tile of D is best for a size: pure arithmetic, tested without a GPU.
///
/// Wide tiles bring fewer bytes for each flop; narrow ones leave fewer multiprocessors without work where D
/// is small. At 1024 x 1024 there are 32 tiles of 128 x 256 for 132 multiprocessors, and 128 of 128 x 64.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/hopper/tile_order.h"

namespace aisp::hopper_matmul {

constexpr int kWidths[] = {256, 128, 64};

/// Clocks of one step of 64 along k, of two blocks that share B: the tensor cores do 4096 flops a clock, and
/// the L2 cache gives a multiprocessor some 40 bytes.
constexpr std::int64_t step_clocks(int columns) {
  constexpr std::int64_t kBytesPerClock = 40;
  const std::int64_t compute = std::int64_t{columns} * 4, bytes = 128 * 128 + std::int64_t{columns} * 128 / 2;
  return std::max(compute, bytes / kBytesPerClock);
}

/// Rounds of all clusters, each as long as its steps and its end: sums leave at about the pace of four steps.
constexpr std::int64_t product_clocks(std::int64_t m, std::int64_t n, std::int64_t k, int columns,
                                      int clusters) {
  const std::int64_t tiles = std::int64_t{hopper::tiles_for(m, 256)} * hopper::tiles_for(n, columns);
  const std::int64_t rounds = (tiles + clusters - 1) / clusters, steps = (k + 63) / 64;
  return rounds * (steps + 4) * step_clocks(columns);
}

/// The widest of those that take least.
constexpr int best_width(std::int64_t m, std::int64_t n, std::int64_t k, int clusters) {
  int best = kWidths[0];
  for (const int columns : kWidths) {
    if (product_clocks(m, n, k, columns, clusters) < product_clocks(m, n, k, best, clusters)) best = columns;
  }
  return best;
}

}  // namespace aisp::hopper_matmul
