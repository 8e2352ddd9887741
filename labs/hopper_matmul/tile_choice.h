// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which tile of D is best for a size: pure arithmetic, tested without a GPU.
///
/// Wide tiles bring fewer bytes for each flop; narrow ones leave fewer multiprocessors without work where D
/// is small. At 1024 x 1024 there are 32 tiles of 128 x 256 for 132 multiprocessors, and 128 of 128 x 64, or
/// of 64 x 128.
///
/// Where all tiles run at once, blocks that take one and end are sooner done than clusters that stay (rung
/// 12).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

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

/// Of blocks that take one tile: 64 x 128 or 128 x 256.
enum class WaveTile { small, large };
constexpr int wave_rows(WaveTile tile) { return tile == WaveTile::small ? 64 : 128; }
constexpr int wave_columns(WaveTile tile) { return tile == WaveTile::small ? 128 : 256; }

constexpr bool fits_one_wave(std::int64_t m, std::int64_t n, WaveTile tile, int processors) {
  return std::int64_t{hopper::tiles_for(m, wave_rows(tile))} * hopper::tiles_for(n, wave_columns(tile)) <=
         processors;
}

/// As product_clocks(), of blocks that share nothing, get some 56 bytes a clock each, and begin and end in
/// about the time of two steps.
constexpr std::int64_t wave_clocks(std::int64_t k, WaveTile tile) {
  constexpr std::int64_t kBytesPerClock = 56;
  const std::int64_t rows = wave_rows(tile), columns = wave_columns(tile);
  const std::int64_t compute = rows * columns / 32, bytes = (rows + columns) * 128;
  return ((k + 63) / 64 + 2) * std::max(compute, bytes / kBytesPerClock);
}

/// The tile for rung 12, or none where rung 11 takes less.
constexpr std::optional<WaveTile> wave_tile(std::int64_t m, std::int64_t n, std::int64_t k, int processors) {
  const int clusters = processors / 2;
  std::int64_t least = product_clocks(m, n, k, best_width(m, n, k, clusters), clusters);
  std::optional<WaveTile> best;
  for (const WaveTile tile : {WaveTile::large, WaveTile::small}) {
    if (!fits_one_wave(m, n, tile, processors) || wave_clocks(k, tile) >= least) continue;
    least = wave_clocks(k, tile);
    best = tile;
  }
  return best;
}

}  // namespace aisp::hopper_matmul
