// SPDX-License-Identifier: Apache-2.0
// A tile of D as Blackwell computes it, emulated from the manual: the copy engine writes swizzled tiles, the
// matrix units read what descriptors name and write tensor memory, warps read it back. The emulation decodes
// the words by itself; only what the kernels also compute comes from their headers.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "labs/blackwell_matmul/tile_shape.h"
#include "workloads/blackwell/layout.h"

namespace aisp::blackwell {
namespace {

using namespace blackwell_matmul;

/// Small whole numbers: sums are exact, so one wrong operand shows.
struct Matrix {
  int rows, columns;
  std::vector<std::int16_t> values;

  Matrix(int r, int c, unsigned seed) : rows(r), columns(c) {
    for (int i = 0; i < r * c; ++i) {
      seed = seed * 1664525u + 1013904223u;
      values.push_back(static_cast<std::int16_t>(static_cast<int>(seed >> 24) - 128));
    }
  }
  /// As the copy engine reads: zeros beyond the end.
  std::int16_t at(int row, int column) const {
    if (row >= rows || column >= columns) return 0;
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
};

/// The hardware changes bits 4 to 6 of an address by its bits 7 to 9.
std::uint32_t swizzled_address(std::uint32_t address) { return address ^ (address >> 7 & 7) << 4; }

/// A multiprocessor: shared memory in values of two bytes, and tensor memory.
struct Processor {
  std::vector<std::int16_t> shared = std::vector<std::int16_t>(256 * 1024 / 2, -32768);
  std::map<std::uint32_t, std::int64_t> tensor;  ///< by address, lane and column

  /// cp.async.bulk.tensor with a box of `rows` rows of 128 bytes and the 128-byte swizzle.
  void load(std::uint32_t to, const Matrix& from, int row, int column, int rows) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < 64; ++c) {
        const auto address = to + static_cast<std::uint32_t>(r * 128 + c * 2);
        shared[swizzled_address(address) / 2] = from.at(row + r, column + c);
      }
    }
  }
  /// Value (row, k) of what a descriptor names, k contiguous: groups of eight rows a stride apart, the rows
  /// of a group 128 bytes apart, and the swizzle applied to the sum.
  std::int64_t read(std::uint64_t descriptor, int row, int k) const {
    const auto start = static_cast<std::uint32_t>(descriptor & 0x3fff) * 16;
    const auto stride = static_cast<std::uint32_t>(descriptor >> 32 & 0x3fff) * 16;
    EXPECT_EQ(descriptor >> 46 & 7, 1u) << "version";
    EXPECT_EQ(descriptor >> 61, 2u) << "128-byte swizzle";
    const std::uint32_t address = start + static_cast<std::uint32_t>(row / 8) * stride +
                                  static_cast<std::uint32_t>(row % 8 * 128 + k * 2);
    return shared[swizzled_address(address) / 2];
  }
};

/// tcgen05.mma.kind::f16 by one block or a pair: block i has rows 128 i of A and an equal part of B's.
void multiply(std::vector<Processor>& blocks, std::uint32_t sums, std::uint64_t a, std::uint64_t b,
              std::uint32_t shape, bool add) {
  const int count = static_cast<int>(blocks.size());
  const int rows = static_cast<int>(shape >> 24 & 31) * 16, columns = static_cast<int>(shape >> 17 & 63) * 8;
  ASSERT_EQ(rows, 128 * count) << "the layouts of these rungs";
  std::vector<std::int64_t> of_b;  // by column and k
  for (int column = 0; column < columns; ++column) {
    const int each = columns / count;
    for (int k = 0; k < 16; ++k)
      of_b.push_back(blocks[static_cast<std::size_t>(column / each)].read(b, column % each, k));
  }
  for (int row = 0; row < rows; ++row) {
    Processor& block = blocks[static_cast<std::size_t>(row / 128)];
    std::int64_t of_a[16];
    for (int k = 0; k < 16; ++k) of_a[k] = block.read(a, row % 128, k);
    for (int column = 0; column < columns; ++column) {
      std::int64_t sum = 0;
      for (int k = 0; k < 16; ++k) sum += of_a[k] * of_b[static_cast<std::size_t>(column * 16 + k)];
      std::int64_t& to = block.tensor[sums + (static_cast<std::uint32_t>(row % 128) << 16) +
                                      static_cast<std::uint32_t>(column)];
      to = (add ? to : 0) + sum;
    }
  }
}

/// One tile of D at (row, column) by the kernels' arithmetic, at odd places of the two memories.
template <class Tiles>
void expect_product(int m, int n, int k, int row, int column) {
  const Matrix a(m, k, 1), b(n, k, 2);
  std::vector<Processor> blocks(Tiles::kBlocks);
  const std::uint32_t sums = memory_address(0, 0, 64), stages = 3 * kTileAlignment;
  for (int step = 0; step * kDepth < k; ++step) {
    const auto stage = stages + static_cast<std::uint32_t>(step % Tiles::kStages) * Tiles::kStepBytes;
    const std::uint32_t of_a = stage, of_b = stage + Tiles::kABytes;
    for (int rank = 0; rank < Tiles::kBlocks; ++rank) {
      Processor& block = blocks[static_cast<std::size_t>(rank)];
      block.load(of_a, a, row + rank * kBlockRows, step * kDepth, kBlockRows);
      block.load(of_b, b, column + rank * Tiles::kBRows, step * kDepth, Tiles::kBRows);
    }
    for (int slice = 0; slice < kRowValues / kSlice; ++slice) {
      const std::uint64_t further = static_cast<std::uint64_t>(slice) * kSliceStep;
      multiply(blocks, sums, tile_descriptor(of_a) + further, tile_descriptor(of_b) + further,
               Tiles::kInstruction, step > 0 || slice > 0);
    }
  }
  int wrong = 0;
  for (int rank = 0; rank < Tiles::kBlocks; ++rank) {
    for (int warp = 0; warp < kStoringWarps; ++warp) {
      for (int first = 0; first < Tiles::kColumns; first += kLoadColumns) {
        const std::uint32_t address = memory_address(sums, first_lane(warp), first);
        for (int lane = 0; lane < 32; ++lane) {
          for (int i = 0; i < kLoadColumns; ++i) {
            const auto loaded = blocks[static_cast<std::size_t>(rank)].tensor.at(
                address + (static_cast<std::uint32_t>(lane) << 16) + static_cast<std::uint32_t>(i));
            const hopper::Place at = loaded_place(rank, warp, lane, first, i);
            std::int64_t sum = 0;
            for (int j = 0; j < k; ++j)
              sum += std::int64_t{a.at(row + at.row, j)} * b.at(column + at.column, j);
            wrong += loaded != sum;
          }
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0) << "of " << Tiles::kRows * Tiles::kColumns << " sums";
}

TEST(BlackwellProduct, OfOneBlockIsThePlainProduct) {
  expect_product<Shape<32, 2>>(128, 32, 64, 0, 0);
  expect_product<Shape<32, 2>>(200, 72, 200, 128, 32);  // ends within the tile and within a step, three laps
  expect_product<LargeTiles>(128, 256, 64, 0, 0);
}

TEST(BlackwellProduct, OfAPairIsThePlainProduct) {
  expect_product<Shape<32, 2, 2>>(256, 32, 64, 0, 0);
  expect_product<Shape<64, 2, 2>>(300, 72, 136, 256, 64);  // the second block's rows lie beyond the matrix
  expect_product<PairTiles>(256, 256, 64, 0, 0);
}

}  // namespace
}  // namespace aisp::blackwell
