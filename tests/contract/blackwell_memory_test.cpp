// SPDX-License-Identifier: Apache-2.0
// Tensor memory and what leads to and from it, as arithmetic: which element lies where, who can read it, what
// fits, and which phase a barrier is in.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <utility>

#include "labs/blackwell_matmul/tile_shape.h"
#include "workloads/blackwell/layout.h"

namespace aisp::blackwell {
namespace {

using namespace blackwell_matmul;

TEST(BlackwellMemory, AddressesHaveTheLaneAboveTheColumn) {
  EXPECT_EQ(memory_address(0, 0, 0), 0u);
  EXPECT_EQ(memory_address(0, 127, 511), 0x007f'01ffu);
  EXPECT_EQ(memory_address(0x0000'0100, 32, 8), 0x0020'0108u) << "from where the allocation begins";
}

TEST(BlackwellMemory, EveryWarpHasAQuarterOfTheLanes) {
  const int kFirst[] = {0, 32, 64, 96};
  for (int warp = 0; warp < 16; ++warp) EXPECT_EQ(first_lane(warp), kFirst[warp % 4]) << warp;
}

TEST(BlackwellMemory, ColumnsAreTakenInPowersOfTwo) {
  const std::map<int, int> kTaken{{1, 32},    {32, 32},   {33, 64},  {128, 128},
                                  {160, 256}, {256, 256}, {512, 512}};
  for (const auto& [columns, taken] : kTaken) EXPECT_EQ(columns_to_allocate(columns), taken) << columns;
}

/// The epilogue's arithmetic, over all blocks, warps, lanes, loads and registers: each reads what lies at the
/// address it names, in a lane it can reach, and every element of the tile is read once.
template <class Tiles>
void expect_every_sum_read_once(int sets) {
  for (int set = 0; set < sets; ++set) {
    std::map<std::pair<int, int>, int> read;
    for (int block = 0; block < Tiles::kBlocks; ++block) {
      for (int warp = 0; warp < kStoringWarps; ++warp) {
        for (int first = 0; first < Tiles::kColumns; first += kLoadColumns) {
          // As in the kernels: the set's columns begin at `base`, the warp's lanes at its first.
          const std::uint32_t base = memory_address(0, 0, set * Tiles::kColumns);
          const std::uint32_t address = memory_address(base, first_lane(warp), first);
          EXPECT_EQ(address >> 16, static_cast<std::uint32_t>(warp) * 32) << "no warp reaches other lanes";
          for (int lane = 0; lane < 32; ++lane) {
            for (int i = 0; i < kLoadColumns; ++i) {
              // What the instruction brings: register i of lane l is lane l, column i from the address.
              const int memory_lane = static_cast<int>(address >> 16) + lane;
              const int memory_column = static_cast<int>(address & 0xffff) + i;
              const hopper::Place taken_for = loaded_place(block, warp, lane, first, i);
              const SumPlace lies = sum_place(taken_for.row, taken_for.column);
              EXPECT_EQ(lies.block, block);
              EXPECT_EQ(lies.lane, memory_lane);
              EXPECT_EQ(lies.column + set * Tiles::kColumns, memory_column);
              EXPECT_LT(memory_column, kMemoryColumns);
              ++read[{taken_for.row, taken_for.column}];
            }
          }
        }
      }
    }
    EXPECT_EQ(read.size(), static_cast<std::size_t>(Tiles::kRows) * Tiles::kColumns);
    for (const auto& [place, times] : read) {
      EXPECT_EQ(times, 1) << place.first << ", " << place.second;
      EXPECT_TRUE(place.first >= 0 && place.first < Tiles::kRows && place.second >= 0 &&
                  place.second < Tiles::kColumns);
    }
  }
}

TEST(BlackwellMemory, OfOneBlockEverySumIsReadOnce) {
  expect_every_sum_read_once<RingTiles>(1);
  expect_every_sum_read_once<LargeTiles>(2);
}

TEST(BlackwellMemory, OfAPairEverySumIsReadOnceByTheBlockThatHasIt) {
  expect_every_sum_read_once<PairTiles>(2);
}

/// From the manual's figures: 128 rows by one block are its lanes; of 256 by a pair the second block has 128
/// to 255.
TEST(BlackwellMemory, SumsLieWhereTheManualDrawsThem) {
  EXPECT_EQ(sum_place(0, 0), (SumPlace{0, 0, 0}));
  EXPECT_EQ(sum_place(127, 255), (SumPlace{0, 127, 255}));
  EXPECT_EQ(sum_place(128, 0), (SumPlace{1, 0, 0}));
  EXPECT_EQ(sum_place(255, 7), (SumPlace{1, 127, 7}));
}

TEST(BlackwellMemory, TwoSetsOfSumsFit) {
  EXPECT_LE(columns_to_allocate(2 * LargeTiles::kColumns), kMemoryColumns);
  EXPECT_LE(columns_to_allocate(2 * PairTiles::kColumns), kMemoryColumns);
}

template <class Tiles>
constexpr unsigned ring_bytes() {
  return Tiles::kStages * Tiles::kStepBytes;
}

TEST(BlackwellMemory, RingAndStagedTilesFitIntoSharedMemory) {
  constexpr unsigned kStaged = kStoringWarps * kStagedTiles * kStagedBytes, kBarriers = 1024;
  EXPECT_EQ(StepTiles::kStepBytes, 32u * 1024);
  EXPECT_EQ(LargeTiles::kStepBytes, 48u * 1024);
  EXPECT_EQ(PairTiles::kStepBytes, 32u * 1024);
  EXPECT_LE(ring_bytes<RingTiles>() + kBarriers, kSharedBytes);
  EXPECT_LE(ring_bytes<LargeTiles>() + kStaged + kBarriers, kSharedBytes);
  EXPECT_LE(ring_bytes<PairTiles>() + kStaged + kBarriers, kSharedBytes);
  // Tiles begin at multiples of what the swizzle's pattern takes.
  EXPECT_EQ(StepTiles::kABytes % kTileAlignment, 0u);
  EXPECT_EQ(LargeTiles::kBBytes % kTileAlignment, 0u);
  EXPECT_EQ(PairTiles::kBBytes % kTileAlignment, 0u);
  EXPECT_EQ(kStagedBytes % kTileAlignment, 0u);
}

/// What a warp writes is what the copy engine stores: it undoes the swizzle by the address's bits.
TEST(BlackwellMemory, StagedTilesAreReadAsTheyWereWritten) {
  std::array<int, kStagedBytes / 2> tile;
  tile.fill(-1);
  for (int lane = 0; lane < 32; ++lane) {
    for (int first = 0; first < kStagedColumns; first += kLoadColumns) {
      for (int piece = 0; piece < kLoadColumns / 8; ++piece) {
        for (int i = 0; i < 8; ++i) {
          int& place = tile.at(staged_piece(lane, first, piece) / 2 + static_cast<unsigned>(i));
          EXPECT_EQ(place, -1) << "written twice";
          place = lane * kStagedColumns + first + piece * 8 + i;
        }
      }
    }
  }
  for (unsigned row = 0; row < 32; ++row) {
    for (unsigned column = 0; column < kStagedColumns; ++column) {
      const unsigned plain = row * 128 + column * 2;
      EXPECT_EQ(tile.at((plain ^ (plain >> 7 & 7) << 4) / 2), static_cast<int>(row * 64 + column));
    }
  }
}

TEST(BlackwellMemory, EightLanesWritePiecesIntoDifferentBanks) {
  for (int group = 0; group < 32; group += 8) {
    std::set<std::uint32_t> banks;
    for (int lane = group; lane < group + 8; ++lane) banks.insert(staged_piece(lane, 32, 1) / 16 % 8);
    EXPECT_EQ(banks.size(), 8u);
  }
}

/// A barrier as the hardware has it: of one arrival a phase here.
struct EmulatedBarrier {
  int phases = 0;  ///< that have ended
  bool ended(unsigned parity) const { return (phases % 2 == 0) == (parity == 1); }
};

/// Two walk round a ring at any pace: neither overtakes, and neither waits for ever. `full` and `empty` as
/// the roles use them.
template <int kCount>
void expect_a_ring_that_turns(unsigned seed) {
  EmulatedBarrier full[kCount], empty[kCount];
  int holds[kCount], filled = 0, used = 0;
  Position<kCount> filler, user;
  constexpr int kAll = 5 * kCount + 1;
  for (int stuck = 0; used < kAll; ++stuck) {
    ASSERT_LT(stuck, 10'000) << "both wait";
    seed = seed * 1664525u + 1013904223u;
    if ((seed >> 16 & 3) != 0 ? filled < kAll && empty[filler.index].ended(filler.phase ^ 1) : false) {
      ASSERT_LT(filled - used, kCount) << "filled before it was used";
      holds[filler.index] = filled++;
      ++full[filler.index].phases;
      filler.advance();
    } else if (full[user.index].ended(user.phase)) {
      ASSERT_LT(used, filled) << "used before it was filled";
      ASSERT_EQ(holds[user.index], used);
      ++used;
      ++empty[user.index].phases;
      user.advance();
    }
  }
  // The filler's last lap, before its block ends: every stage has been left.
  for (int stage = 0; stage < kCount; ++stage, filler.advance())
    EXPECT_TRUE(empty[filler.index].ended(filler.phase ^ 1));
}

TEST(BlackwellMemory, PhasesKeepARingInOrder) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    expect_a_ring_that_turns<1>(seed);
    expect_a_ring_that_turns<2>(seed);
    expect_a_ring_that_turns<4>(seed);
    expect_a_ring_that_turns<6>(seed);
  }
}

}  // namespace
}  // namespace aisp::blackwell
