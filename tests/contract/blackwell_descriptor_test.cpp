// SPDX-License-Identifier: Apache-2.0
// What Blackwell's matrix units are told, bit by bit, against tables written from the PTX ISA manual (tables
// "Shared memory descriptor layout" and "Instruction descriptor format", section tcgen05). No such device has
// run this code: the tables are all there is to be held to.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "labs/blackwell_matmul/tile_shape.h"
#include "workloads/blackwell/layout.h"

namespace aisp::blackwell {
namespace {

struct Field {
  const char* name;
  int first, bits;
  std::uint64_t value;
};

/// Every bit of the word belongs to one field, and every field has its value.
void expect_fields(std::uint64_t word, int width, const std::vector<Field>& fields) {
  int next = 0;
  for (const Field& field : fields) {
    EXPECT_EQ(field.first, next) << field.name << ": the table has a gap, or says something twice";
    EXPECT_EQ(word >> field.first & ((1ull << field.bits) - 1), field.value) << field.name;
    next = field.first + field.bits;
  }
  EXPECT_EQ(next, width);
  if (width < 64) {
    EXPECT_EQ(word >> width, 0u);
  }
}

TEST(BlackwellDescriptor, OfATileHasItsFieldsWhereTheManualSays) {
  expect_fields(tile_descriptor(0x2a400), 64,
                {{"start address / 16", 0, 14, 0x2a40},
                 {"reserved", 14, 2, 0},
                 {"leading dimension / 16, no meaning here", 16, 14, 1},
                 {"reserved", 30, 2, 0},
                 {"stride dimension / 16: eight rows of 128 bytes", 32, 14, 64},
                 {"fixed: 0b001", 46, 3, 1},
                 {"base offset: tiles begin where the pattern does", 49, 3, 0},
                 {"leading dimension is a distance", 52, 1, 0},
                 {"fixed: 0", 53, 8, 0},
                 {"128-byte swizzle", 61, 3, 2}});
}

TEST(BlackwellDescriptor, OfAnyMatrixHasThemToo) {
  const struct {
    Swizzle swizzle;
    std::uint64_t code;
  } kCodes[] = {{Swizzle::none, 0},
                {Swizzle::bytes_128_by_32, 1},
                {Swizzle::bytes_128, 2},
                {Swizzle::bytes_64, 4},
                {Swizzle::bytes_32, 6}};
  for (const auto& [swizzle, code] : kCodes) {
    expect_fields(matrix_descriptor(0x3fff0, 0x1230, 0x20450, swizzle), 64,
                  {{"start address / 16", 0, 14, 0x3fff},
                   {"reserved", 14, 2, 0},
                   {"leading dimension / 16", 16, 14, 0x123},
                   {"reserved", 30, 2, 0},
                   {"stride dimension / 16", 32, 14, 0x2045},
                   {"fixed: 0b001", 46, 3, 1},
                   {"base offset", 49, 3, 0},
                   {"leading dimension is a distance", 52, 1, 0},
                   {"fixed: 0", 53, 8, 0},
                   {"swizzle", 61, 3, code}});
  }
}

/// In a cluster the bits above the 18 of a block's own shared memory say whose it is; both blocks of a pair
/// are told with one descriptor, so they must not be in it.
TEST(BlackwellDescriptor, SaysWhereInABlockAndNotInWhich) {
  EXPECT_EQ(tile_descriptor(0x0100'8400), tile_descriptor(0x8400));
  EXPECT_EQ(tile_descriptor(227 * 1024) & 0x3fff, 227u * 64) << "all of a block's shared memory can be named";
}

TEST(BlackwellDescriptor, ASliceFurtherIsAnAddressFurtherAndNothingElse) {
  for (std::uint32_t slice = 0; slice < kRowValues / kSlice; ++slice)
    EXPECT_EQ(tile_descriptor(0x8000) + slice * kSliceStep, tile_descriptor(0x8000 + slice * 32));
}

/// Hopper's units read another word: a kernel that takes the other header's function is wrong.
TEST(BlackwellDescriptor, IsNotHoppers) {
  EXPECT_NE(tile_descriptor(0x8000), hopper::tile_descriptor(0x8000));
}

TEST(BlackwellInstruction, HasItsFieldsWhereTheManualSays) {
  for (const int rows : {64, 128, 256}) {
    for (const int columns : {8, 16, 32, 128, 240, 256}) {
      expect_fields(instruction_descriptor(rows, columns), 32,
                    {{"sparsity selector", 0, 2, 0},
                     {"dense", 2, 1, 0},
                     {"saturate: integers only", 3, 1, 0},
                     {"D is f32", 4, 2, 1},
                     {"reserved", 6, 1, 0},
                     {"A is bf16", 7, 3, 1},
                     {"B is bf16", 10, 3, 1},
                     {"A is not negated", 13, 1, 0},
                     {"B is not negated", 14, 1, 0},
                     {"A has k contiguous", 15, 1, 0},
                     {"B has k contiguous", 16, 1, 0},
                     {"N / 8", 17, 6, static_cast<std::uint64_t>(columns / 8)},
                     {"reserved", 23, 1, 0},
                     {"M / 16", 24, 5, static_cast<std::uint64_t>(rows / 16)},
                     {"reserved", 29, 1, 0},
                     {"shift: of .ws only", 30, 2, 0}});
    }
  }
}

TEST(BlackwellInstruction, EveryShapeThatExistsComesBackFromItsWord) {
  int count = 0;
  for (const int blocks : {1, 2}) {
    for (int rows = 0; rows <= 512; rows += 16) {
      for (int columns = 0; columns <= 512; columns += 8) {
        if (!shape_exists(blocks, rows, columns)) continue;
        const std::uint32_t word = instruction_descriptor(rows, columns);
        EXPECT_EQ(static_cast<int>(word >> 24 & 31) * 16, rows);
        EXPECT_EQ(static_cast<int>(word >> 17 & 63) * 8, columns);
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 32 + 16 + 8 + 8) << "64 x 8i, 128 x 16i; of a pair 128 x 32i, 256 x 32i";
}

TEST(BlackwellInstruction, ShapesThatDoNotExistAreRefused) {
  EXPECT_FALSE(shape_exists(1, 256, 256)) << "one block has 128 rows";
  EXPECT_FALSE(shape_exists(1, 128, 8));
  EXPECT_FALSE(shape_exists(1, 128, 264));
  EXPECT_FALSE(shape_exists(2, 64, 128));
  EXPECT_FALSE(shape_exists(2, 256, 16));
  EXPECT_FALSE(shape_exists(4, 256, 256));
}

TEST(BlackwellInstruction, TheRungsTilesHaveOne) {
  using namespace blackwell_matmul;
  EXPECT_EQ(StepTiles::kInstruction, instruction_descriptor(128, 128));
  EXPECT_EQ(RingTiles::kInstruction, instruction_descriptor(128, 128));
  EXPECT_EQ(LargeTiles::kInstruction, instruction_descriptor(128, 256));
  EXPECT_EQ(PairTiles::kInstruction, instruction_descriptor(256, 256)) << "the rows of both blocks";
  EXPECT_EQ(PairTiles::kBRows, 128) << "half of B in each";
}

}  // namespace
}  // namespace aisp::blackwell
