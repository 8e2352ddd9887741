// SPDX-License-Identifier: Apache-2.0
// The arithmetic behind Hopper's tiles, which needs no GPU: whether the GPU agrees, tests/hopper asks it.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "labs/hopper_matmul/tile_choice.h"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/tile_order.h"

namespace aisp::hopper {
namespace {

TEST(HopperLayout, TheSwizzleMovesEveryByteToAPlaceOfItsOwnWithinItsRow) {
  std::set<std::uint32_t> places;
  for (std::uint32_t row = 0; row < 64; ++row) {
    for (std::uint32_t byte = 0; byte < kRowBytes; ++byte) {
      const std::uint32_t at = swizzled(row, byte);
      EXPECT_EQ(at / kRowBytes, row);
      EXPECT_EQ(at % kPieceBytes, byte % kPieceBytes) << "a piece stays whole";
      places.insert(at);
    }
  }
  EXPECT_EQ(places.size(), 64u * kRowBytes);
}

TEST(HopperLayout, EightRowsOfOnePieceLieInDifferentBanks) {
  for (std::uint32_t first = 0; first < 64; first += 8) {
    for (std::uint32_t piece = 0; piece < 8; ++piece) {
      std::set<std::uint32_t> pieces;
      for (std::uint32_t row = first; row < first + 8; ++row)
        pieces.insert(swizzled(row, piece * kPieceBytes) % kRowBytes);
      EXPECT_EQ(pieces.size(), 8u);
    }
  }
}

TEST(HopperLayout, TheSwizzleIsThatOfTheAddressesBits) {
  // As the hardware does it: bits 4 to 6 of an address are changed by its bits 7 to 9.
  for (std::uint32_t row = 0; row < 32; ++row) {
    for (std::uint32_t byte = 0; byte < kRowBytes; ++byte) {
      const std::uint32_t plain = row * kRowBytes + byte;
      EXPECT_EQ(swizzled(row, byte), plain ^ (plain >> 7 & 7) << 4);
    }
  }
}

TEST(HopperLayout, ADescriptorHasItsFieldsWhereTheInstructionLooks) {
  const std::uint64_t descriptor = tile_descriptor(0x2a400);
  EXPECT_EQ(descriptor & 0x3fff, 0x2a40u) << "address in units of 16 bytes";
  EXPECT_EQ(descriptor >> 32 & 0x3fff, 64u) << "1024 bytes between groups of eight rows";
  EXPECT_EQ(descriptor >> 49 & 7, 0u) << "tiles begin at multiples of 1024 bytes";
  EXPECT_EQ(descriptor >> 62, 1u) << "128-byte swizzle";
  EXPECT_EQ(descriptor & (3ull << 14 | 3ull << 30 | 7ull << 46 | 0x3ffull << 52), 0u) << "unused bits";
  // All of the shared memory that a block may have can be named.
  EXPECT_EQ(tile_descriptor(227 * 1024) & 0x3fff, 227u * 64);
}

TEST(HopperLayout, ASliceFurtherIsAnAddressFurtherAndNothingElse) {
  for (std::uint32_t slice = 0; slice < 4; ++slice)
    EXPECT_EQ(tile_descriptor(0x8000) + slice * kSliceStep, tile_descriptor(0x8000 + slice * 32));
}

TEST(HopperLayout, ADescriptorOfATurnedTileSaysHowFarTheNextColumnsAre) {
  const std::uint64_t descriptor = turned_descriptor(0x2a400, 128 * kRowBytes);
  EXPECT_EQ(descriptor & 0x3fff, 0x2a40u) << "address in units of 16 bytes";
  EXPECT_EQ(descriptor >> 16 & 0x3fff, 1024u) << "16 KB between groups of 64 columns";
  EXPECT_EQ(descriptor >> 32 & 0x3fff, 64u) << "1024 bytes between groups of eight rows";
  EXPECT_EQ(descriptor >> 62, 1u) << "128-byte swizzle";
  EXPECT_EQ(descriptor & (3ull << 14 | 3ull << 30 | 7ull << 46 | 0x3ffull << 52), 0u) << "unused bits";
  EXPECT_EQ(turned_descriptor(0x8000, 0x4000) + kTurnedSliceStep,
            turned_descriptor(0x8000 + 16 * 128, 0x4000));
}

TEST(HopperLayout, EverySumHasAPlaceAndEveryPlaceASum) {
  for (const int columns : {64, 128, 256}) {
    std::set<std::pair<int, int>> places;
    for (int thread = 0; thread < 128; ++thread) {
      for (int i = 0; i < columns / 2; ++i) {
        const Place at = sum_place(thread, i);
        EXPECT_GE(at.row, thread / 32 * 16);
        EXPECT_LT(at.row, thread / 32 * 16 + 16) << "a warp has 16 rows";
        EXPECT_LT(at.column, columns);
        places.insert({at.row, at.column});
      }
    }
    EXPECT_EQ(places.size(), 64u * static_cast<unsigned>(columns));
  }
}

/// stmatrix as it is defined: register m of lane l has values 2 (l % 4) and the next of row l / 4 of matrix
/// m, and goes to the row that lane m * 8 + l / 4 names.
TEST(HopperLayout, SumsGoThroughStmatrixToTheirPlaces) {
  for (int warp = 0; warp < 4; ++warp) {
    for (int first = 0; first < 64; first += 16) {
      for (int lane = 0; lane < 32; ++lane) {
        for (int matrix = 0; matrix < 4; ++matrix) {
          const PieceOfLane named = piece_of_lane(matrix * 8 + lane / 4);
          for (int half = 0; half < 2; ++half) {
            const Place sum = sum_place(warp * 32 + lane, first / 2 + matrix * 2 + half);
            EXPECT_EQ(sum.row, warp * 16 + named.row);
            EXPECT_EQ(sum.column, first + named.piece * 8 + lane % 4 * 2 + half);
          }
        }
      }
    }
  }
}

TEST(HopperTileOrder, EveryTileComesOnce) {
  for (const int rows : {1, 2, 7, 8, 9, 16, 33}) {
    for (const int columns : {1, 3, 8, 32}) {
      for (const int band : {1, 4, 8}) {
        const TileGrid grid{rows, columns};
        std::set<std::pair<int, int>> seen;
        for (int i = 0; i < grid.count(); ++i) {
          const Tile tile = banded_tile(grid, band, i);
          EXPECT_TRUE(tile.row >= 0 && tile.row < rows && tile.column >= 0 && tile.column < columns)
              << rows << " x " << columns << " band " << band << " index " << i;
          seen.insert({tile.row, tile.column});
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(grid.count()));
      }
    }
  }
}

/// What tiles in flight need of the inputs, in rows and columns of tiles.
std::size_t panels(const TileGrid& grid, int band, int first, int count) {
  std::set<int> rows, columns;
  for (int i = first; i < first + count; ++i) {
    const Tile tile = band == 0 ? plain_tile(grid, i) : banded_tile(grid, band, i);
    rows.insert(tile.row);
    columns.insert(tile.column);
  }
  return rows.size() + columns.size();
}

TEST(HopperTileOrder, BandsNeedLessOfTheInputsAtATime) {
  const TileGrid grid{32, 32};  // 8192 cubed in tiles of 256 x 256, 64 in flight
  for (int first = 0; first + 64 <= grid.count(); first += 64) {
    EXPECT_EQ(panels(grid, 8, first, 64), 16u);
    EXPECT_EQ(panels(grid, 0, first, 64), 34u);
  }
}

TEST(HopperTf32, EveryValueOfATileBelongsToOneThread) {
  std::set<std::pair<int, int>> places;
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < 4; ++i) {
      const Place place = tf32_place(thread, i);
      EXPECT_TRUE(places.emplace(place.row, place.column).second) << place.row << ", " << place.column;
    }
  }
  EXPECT_EQ(places.size(), 64u * kTf32Slice);
  EXPECT_EQ(places.rbegin()->first, 63);
  EXPECT_EQ(places.rbegin()->second, kTf32Slice - 1);
}

/// What a warp reads of a swizzled tile at once is in 32 different banks.
TEST(HopperTf32, WarpsReadTheirValuesWithoutConflicts) {
  for (int slice = 0; slice < 4; ++slice) {
    for (int warp = 0; warp < 4; ++warp) {
      for (int i = 0; i < 4; ++i) {
        std::set<std::uint32_t> banks;
        for (int lane = 0; lane < 32; ++lane) {
          const Place place = tf32_place(warp * 32 + lane, i);
          const auto byte = static_cast<std::uint32_t>((slice * kTf32Slice + place.column) * 4);
          banks.insert(swizzled(static_cast<std::uint32_t>(place.row), byte) / 4 % 32);
        }
        EXPECT_EQ(banks.size(), 32u);
      }
    }
  }
}

TEST(HopperTileChoice, LargeProductsGetWideTilesAndSmallOnesTilesForAll) {
  constexpr int kClusters = 66;
  EXPECT_EQ(hopper_matmul::best_width(8192, 8192, 8192, kClusters), 256);
  EXPECT_EQ(hopper_matmul::best_width(4096, 4096, 4096, kClusters), 256);
  EXPECT_EQ(hopper_matmul::best_width(2048, 2048, 2048, kClusters), 256);
  EXPECT_EQ(hopper_matmul::best_width(1024, 1024, 1024, kClusters), 64);
  EXPECT_EQ(hopper_matmul::best_width(1, 8, 8, kClusters), 64);
}

TEST(HopperTileChoice, NoOtherWidthIsEstimatedBelowTheChosen) {
  for (const std::int64_t m : {1, 100, 1000, 3000, 10000}) {
    for (const std::int64_t n : {8, 520, 2056, 9000}) {
      const int chosen = hopper_matmul::best_width(m, n, 4096, 66);
      for (const int width : hopper_matmul::kWidths) {
        EXPECT_LE(hopper_matmul::product_clocks(m, n, 4096, chosen, 66),
                  hopper_matmul::product_clocks(m, n, 4096, width, 66));
      }
    }
  }
}

TEST(HopperTileChoice, OneWaveIsForSizesThatFitOne) {
  using hopper_matmul::wave_tile;
  using hopper_matmul::WaveTile;
  constexpr int kProcessors = 132;
  EXPECT_EQ(wave_tile(8192, 8192, 8192, kProcessors), std::nullopt);
  EXPECT_EQ(wave_tile(4096, 4096, 4096, kProcessors), std::nullopt);
  EXPECT_EQ(wave_tile(2048, 2048, 2048, kProcessors), WaveTile::large);
  EXPECT_EQ(wave_tile(1024, 1024, 1024, kProcessors), WaveTile::small);
  EXPECT_EQ(wave_tile(1, 8, 8, kProcessors), WaveTile::small);
  // Of fp8, whose steps along k are as long and half as many.
  EXPECT_EQ(wave_tile(2048, 2048, 2048 / 2, kProcessors), WaveTile::large);
  EXPECT_EQ(wave_tile(1024, 1024, 1024 / 2, kProcessors), WaveTile::small);
  for (const std::int64_t m : {1, 64, 1000, 2048, 2049, 5000}) {
    for (const std::int64_t n : {8, 128, 1024, 2048, 2056, 9000}) {
      const auto tile = wave_tile(m, n, 4096, kProcessors);
      if (tile) {
        EXPECT_TRUE(fits_one_wave(m, n, *tile, kProcessors)) << m << " x " << n;
      }
    }
  }
}

/// A device with fewer multiprocessors gets fewer tiles at once.
TEST(HopperTileChoice, OneWaveDependsOnTheDevice) {
  using hopper_matmul::wave_tile;
  EXPECT_EQ(wave_tile(1024, 1024, 1024, 114), std::nullopt) << "128 tiles of 64 x 128";
  EXPECT_EQ(wave_tile(960, 896, 1024, 114), hopper_matmul::WaveTile::small) << "105 of them";
  EXPECT_EQ(wave_tile(2048, 2048, 2048, 114), std::nullopt);
}

}  // namespace
}  // namespace aisp::hopper
