// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where ch09/ptx_cvt_pack has its weights of four bits: pure arithmetic, tested without a GPU.
///
/// Blocks of 16 rows by 64 columns are four products of one warp, 16 x 16 by 16 x 8 (mma.m16n8k16), and 128
/// words: four neighbours for each lane, one for each product. A word is the eight weights that its lane
/// hands to that product. Which 16 columns a product takes, and in which order, is free as long as x is taken
/// in the same order: so that a lane has its 16 values of x for a block in two pieces of 16 bytes, straight
/// from a row of x, it takes columns 8 t to 8 t + 7 and 32 + 8 t to 32 + 8 t + 7, t being the lane's number
/// modulo 4.
#pragma once

#include <cstdint>

namespace aisp::ptx_cvt_pack {

constexpr int kTileRows = 16, kBlockColumns = 64, kProducts = 4;
constexpr int kBlockWords = kTileRows * kBlockColumns / 8;

/// Of a block, or of the left side of one product, where `column` is the product's k.
struct Place {
  int row, column;
};

/// What the instruction takes for the left side: the `i`-th of a lane's eight values, two in each register.
constexpr Place fragment_place(int lane, int i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}

/// The column of a block that is `k` of its `product`-th product: of the 16 values of x that a lane has for
/// the block, every product takes the next four.
constexpr int column_of(int product, int k) {
  const int lane = k % 8 / 2, value = product * 4 + k / 8 * 2 + k % 2;
  return value / 8 * 32 + lane * 8 + value % 8;
}

/// Where the `i`-th of a lane's eight values lies in its word: the two of a register 16 bits apart, so that
/// one mask finds both.
constexpr int shift_of(int i) { return 4 * (i / 2) + 16 * (i % 2); }

/// Where a weight is: which word of its block, and how far up.
struct Nibble {
  int word, shift;
};
constexpr Nibble nibble_of(Place at) {
  const int lane = at.row % 8 * 4 + at.column % 32 / 8, value = at.column / 32 * 8 + at.column % 8;
  const int i = value % 2 + at.row / 8 * 2 + value / 2 % 2 * 4;
  return {lane * kProducts + value / 4, shift_of(i)};
}

/// A weight, as stored: 0 to 15, for -8 to 7.
constexpr int weight_at(const std::uint32_t* words, std::int64_t k_blocks, std::int64_t row,
                        std::int64_t column) {
  const Nibble at = nibble_of({static_cast<int>(row % kTileRows), static_cast<int>(column % kBlockColumns)});
  const std::int64_t block = row / kTileRows * k_blocks + column / kBlockColumns;
  return static_cast<int>(words[block * kBlockWords + at.word] >> at.shift & 15);
}

}  // namespace aisp::ptx_cvt_pack
