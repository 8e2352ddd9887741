// SPDX-License-Identifier: Apache-2.0
/// \file
/// In which order the tiles of a matrix are computed: pure arithmetic, tested without a GPU.
///
/// Blocks that run at the same time should share rows and columns of the inputs, so that the L2 cache brings
/// each of them from memory once. A band of `band` rows of tiles is worked through column by column: the
/// tiles in flight then are about a square.
#pragma once

#include <cstdint>

namespace aisp::hopper {

struct TileGrid {
  int rows, columns;

  constexpr int count() const { return rows * columns; }
};

struct Tile {
  int row, column;
};

/// Row after row.
constexpr Tile plain_tile(TileGrid grid, int index) { return {index / grid.columns, index % grid.columns}; }

/// Band after band, within a band column after column. The last band may have fewer rows.
constexpr Tile banded_tile(TileGrid grid, int band, int index) {
  const int whole = band * grid.columns;
  const int first = index / whole * band, inside = index % whole;
  const int rows = grid.rows - first < band ? grid.rows - first : band;
  return {first + inside % rows, inside / rows};
}

constexpr int tiles_for(std::int64_t extent, int tile) {
  return static_cast<int>((extent + tile - 1) / tile);
}

}  // namespace aisp::hopper
