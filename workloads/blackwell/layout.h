// SPDX-License-Identifier: Apache-2.0
/// \file
/// How Blackwell's matrix units are told what to multiply and where it lies: pure arithmetic, tested without
/// a GPU. Bits and tables are those of the PTX ISA manual, section "tcgen05" (shared memory descriptor,
/// instruction descriptor, tensor memory).
///
/// Tiles in shared memory are Hopper's (workloads/hopper/layout.h): rows of 128 bytes of k, swizzled by the
/// copy engine. The descriptor that names them is another: it has a version, and the swizzle has other codes.
/// The sums are in no registers but in tensor memory, 128 lanes of 512 columns of 32 bits a multiprocessor:
/// a lane is a row of the product, a column is a column.
#pragma once

#include <cstdint>

#include "workloads/hopper/layout.h"

namespace aisp::blackwell {

using hopper::kPieceBytes;
using hopper::kRowBytes;
using hopper::kRowValues;
using hopper::kSlice;      // of k that one instruction multiplies: 32 bytes here too
using hopper::kSliceStep;  // and the address alone moves on with it
using hopper::kTileAlignment;
using hopper::swizzled;

// ---- Tiles in shared memory
// --------------------------------------------------------------------------------

/// How the copy engine changed the places of 16-byte pieces. 3, 5 and 7 do not exist.
enum class Swizzle : std::uint8_t {
  none = 0,
  bytes_128_by_32 = 1,
  bytes_128 = 2,
  bytes_64 = 4,
  bytes_32 = 6
};

/// Bits 0 to 13: the address in units of 16 bytes, of which a block has 18 bits (those above say whose shared
/// memory it is). 16 to 29 and 32 to 45: distances, likewise. 46 to 48: 1, where Hopper has nothing. 49 to
/// 51: 0 for tiles that begin where the swizzle's pattern does. 61 to 63: the swizzle.
constexpr std::uint64_t matrix_descriptor(std::uint32_t shared_address, std::uint32_t leading_bytes,
                                          std::uint32_t stride_bytes, Swizzle swizzle) {
  constexpr std::uint64_t kVersion = 1;
  const auto units = [](std::uint32_t bytes) { return std::uint64_t{(bytes & 0x3ffff) >> 4}; };
  return units(shared_address) | units(leading_bytes) << 16 | units(stride_bytes) << 32 | kVersion << 46 |
         std::uint64_t{static_cast<std::uint8_t>(swizzle)} << 61;
}

/// Rows of 128 bytes of k: 1024 bytes from eight rows to the next eight. The other distance has no meaning
/// for rows that are one swizzle wide; one unit by convention, as on Hopper.
constexpr std::uint64_t tile_descriptor(std::uint32_t shared_address) {
  return matrix_descriptor(shared_address, 16, kTileAlignment, Swizzle::bytes_128);
}

// ---- The instruction
// ---------------------------------------------------------------------------------------

/// Whether tcgen05.mma of 16-bit values has this shape, by one block or by a pair of them. Of a pair the
/// manual's editions differ between multiples of 16 and of 32; 32 is right in both.
constexpr bool shape_exists(int blocks, int rows, int columns) {
  if (columns < 8 || columns > 256) return false;
  if (blocks == 1) return (rows == 64 && columns % 8 == 0) || (rows == 128 && columns % 16 == 0);
  return blocks == 2 && (rows == 128 || rows == 256) && columns % 32 == 0;
}

/// bf16 by bf16 to sums of single precision, both with k contiguous, nothing negated, nothing sparse. Bits 4
/// and 5: type of the sums. 7 to 9 and 10 to 12: types of A and B. 17 to 22: columns / 8. 24 to 28: rows /
/// 16, of both blocks of a pair together.
constexpr std::uint32_t instruction_descriptor(int rows, int columns) {
  constexpr std::uint32_t kSumsF32 = 1, kBf16 = 1;
  return kSumsF32 << 4 | kBf16 << 7 | kBf16 << 10 | static_cast<std::uint32_t>(columns) >> 3 << 17 |
         static_cast<std::uint32_t>(rows) >> 4 << 24;
}

// ---- Tensor memory
// -----------------------------------------------------------------------------------------

constexpr int kLanes = 128, kMemoryColumns = 512;
constexpr int kWarpLanes = 32;    ///< that one warp can reach
constexpr int kLoadColumns = 32;  ///< that one load brings: a register each

/// Further lanes and columns from an address that the allocation gave: lanes in the upper half.
constexpr std::uint32_t memory_address(std::uint32_t allocated, int lane, int column) {
  return allocated + (static_cast<std::uint32_t>(lane) << 16) + static_cast<std::uint32_t>(column);
}

/// The first of the lanes that a warp of a block can reach: which ones is decided by its number alone.
constexpr int first_lane(int warp) { return warp % (kLanes / kWarpLanes) * kWarpLanes; }

/// Columns are allocated in powers of two, at least 32.
constexpr int columns_to_allocate(int columns) {
  int allocated = 32;
  while (allocated < columns) allocated *= 2;
  return allocated;
}

/// Where element (row, column) of the product lies: in which block's memory, and there.
struct SumPlace {
  int block, lane, column;

  constexpr bool operator==(const SumPlace&) const = default;
};
/// Of products of 128 rows by one block, and of 256 by a pair: the second block has the lower half.
constexpr SumPlace sum_place(int row, int column) { return {row / kLanes, row % kLanes, column}; }

/// Which element a thread's i-th register has after a load of 32 columns from `first`.
constexpr hopper::Place loaded_place(int block, int warp, int lane, int first, int i) {
  return {block * kLanes + first_lane(warp) + lane, first + i};
}

// ---- How sums leave
// ----------------------------------------------------------------------------------------

/// A thread has a row. Rounded to bf16, 32 columns are four pieces of 16 bytes of a staging tile of 32 rows
/// of 128 bytes, which the copy engine stores from: where piece `piece` of those from `first` (0 or 32) lies.
/// Eight neighbouring lanes write into different banks.
constexpr std::uint32_t staged_piece(int lane, int first, int piece) {
  return swizzled(static_cast<std::uint32_t>(lane),
                  static_cast<std::uint32_t>(first * 2 + piece * static_cast<int>(kPieceBytes)));
}

}  // namespace aisp::blackwell
