// SPDX-License-Identifier: Apache-2.0
// Where ch09/ptx_cvt_pack has its weights, which needs no GPU to know.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "workloads/ch09_arithmetic_intensity/ptx_cvt_pack.h"

namespace aisp::ptx_cvt_pack {
namespace {

/// As the manual of PTX has it for mma.m16n8k16: registers a0 a1, a2 a3, a4 a5, a6 a7.
TEST(PackedWeights, FragmentsAreThoseOfTheInstruction) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 8; ++i) {
      const bool below = i == 2 || i == 3 || i == 6 || i == 7, behind = i >= 4;
      const Place at = fragment_place(lane, i);
      EXPECT_EQ(at.row, lane / 4 + (below ? 8 : 0));
      EXPECT_EQ(at.column, lane % 4 * 2 + (i & 1) + (behind ? 8 : 0));
    }
  }
}

/// Also the manual's: b0 b1 are k = 2 (lane % 4) and the next, b2 b3 eight further. Product after product, a
/// lane's values must be the eight columns of one piece of 16 bytes, then those of the piece 32 columns
/// further.
TEST(PackedWeights, ALaneFindsItsValuesOfXSideBySide) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int value = 0; value < 16; ++value) {
      const int k = lane % 4 * 2 + value % 2 + value / 2 % 2 * 8;
      EXPECT_EQ(column_of(value / 4, k), value / 8 * 32 + lane % 4 * 8 + value % 8);
    }
  }
}

TEST(PackedWeights, EveryPlaceOfABlockHasBitsOfItsOwn) {
  std::set<std::pair<int, int>> seen;
  for (int row = 0; row < kTileRows; ++row) {
    for (int column = 0; column < kBlockColumns; ++column) {
      const Nibble at = nibble_of({row, column});
      EXPECT_TRUE(at.word >= 0 && at.word < kBlockWords);
      EXPECT_TRUE(at.shift >= 0 && at.shift <= 28 && at.shift % 4 == 0);
      EXPECT_TRUE(seen.emplace(at.word, at.shift).second) << row << ", " << column;
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kBlockWords) * 8);
}

TEST(PackedWeights, AWordIsWhatItsLaneHandsToItsProduct) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int product = 0; product < kProducts; ++product) {
      for (int i = 0; i < 8; ++i) {
        const Place at = fragment_place(lane, i);
        const Nibble found = nibble_of({at.row, column_of(product, at.column)});
        EXPECT_EQ(found.word, lane * kProducts + product);
        EXPECT_EQ(found.shift, shift_of(i));
      }
    }
  }
}

TEST(PackedWeights, BlocksFollowEachOtherAlongTheRow) {
  constexpr std::int64_t kBlocks = 3, kTiles = 2;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(kTiles * kBlocks * kBlockWords));
  const auto value = [](std::int64_t row, std::int64_t column) {
    return static_cast<std::uint32_t>((row * 7 + column * 5 + row * column) % 16);
  };
  for (std::int64_t row = 0; row < kTiles * kTileRows; ++row) {
    for (std::int64_t column = 0; column < kBlocks * kBlockColumns; ++column) {
      const Nibble at = nibble_of({static_cast<int>(row % 16), static_cast<int>(column % 64)});
      const std::int64_t block = row / 16 * kBlocks + column / 64;
      words[static_cast<std::size_t>(block * kBlockWords + at.word)] |= value(row, column) << at.shift;
    }
  }
  for (std::int64_t row = 0; row < kTiles * kTileRows; ++row) {
    for (std::int64_t column = 0; column < kBlocks * kBlockColumns; ++column)
      ASSERT_EQ(static_cast<std::uint32_t>(weight_at(words.data(), kBlocks, row, column)),
                value(row, column));
  }
}

}  // namespace
}  // namespace aisp::ptx_cvt_pack
