// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the emulated copy engine is told of a matrix of bf16.
#pragma once

#include "words.h"
#include "workloads/hopper/layout.h"

/// By the name that the kernels' parameters have.
struct CUtensorMap {
  std::uint16_t* data;
  std::int64_t rows, columns;
  int box_rows;
};

namespace aisp::hopper {

inline CUtensorMap matrix_map(const std::uint16_t* data, std::int64_t rows, std::int64_t columns,
                              int box_rows) {
  return {const_cast<std::uint16_t*>(data), rows, columns, box_rows};
}

/// For every value of a box: where it lies in the matrix, or nothing beyond it, and where in shared memory,
/// as the hardware swizzles: bits 4 to 6 of an address by its bits 7 to 9.
template <class Each>
void for_box(const CUtensorMap& map, int row, int column, std::uint32_t address, Each each) {
  for (int r = 0; r < map.box_rows; ++r) {
    for (int c = 0; c < 64; ++c) {
      const std::uint32_t plain = address + static_cast<std::uint32_t>(r * 128 + c * 2);
      const bool inside = row + r < map.rows && column + c < map.columns;
      each(inside ? map.data + (row + r) * map.columns + column + c : nullptr, plain ^ (plain >> 7 & 7) << 4);
    }
  }
}

}  // namespace aisp::hopper
