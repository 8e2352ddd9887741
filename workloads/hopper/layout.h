// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where Hopper's matrix units and its copy engine find things: pure arithmetic, tested without a GPU.
///
/// A tile lies in shared memory as rows of 128 bytes: of k, 64 values of 16 bits each (128 of 8 bits, 32 of
/// 32). The copy engine writes it swizzled: within a row, the eight pieces of 16 bytes change places by the
/// row's number modulo eight. So the same piece of eight rows lies in different banks, and the matrix units
/// read eight rows at once. The pattern repeats every 1024 bytes; tiles begin at multiples of that.
#pragma once

#include <cstdint>

namespace aisp::hopper {

constexpr int kSlice = 16;      ///< values of k that one instruction multiplies: 32 bytes
constexpr int kRowValues = 64;  ///< of a row of 128 bytes
constexpr std::uint32_t kRowBytes = 128;
constexpr std::uint32_t kPieceBytes = 16;
constexpr std::uint32_t kTileAlignment = 1024;

/// Where byte `byte` of row `row` lies, from the beginning of a swizzled tile.
constexpr std::uint32_t swizzled(std::uint32_t row, std::uint32_t byte) {
  return row * kRowBytes + (byte ^ (row % 8 * kPieceBytes));
}

/// How wgmma is told of a swizzled tile: its address, 1024 bytes from eight rows to the next eight, and the
/// 128-byte swizzle. The other distance has no meaning for rows that are one swizzle wide; 1 by convention.
constexpr std::uint64_t tile_descriptor(std::uint32_t shared_address) {
  constexpr std::uint64_t kLeading = 1, kStride = kTileAlignment / 16, kSwizzle128 = 1;
  return (shared_address >> 4 & 0x3fff) | kLeading << 16 | kStride << 32 | kSwizzle128 << 62;
}
/// From one slice of k to the next within the row, in a descriptor. The hardware swizzles the sum of all
/// parts of an address, so adding to its beginning is enough.
constexpr std::uint64_t kSliceStep = kSlice * 2 / 16;

/// The same for a tile whose rows are k: each row has 64 values along n (or m), so the instruction turns it.
/// Eight rows of k are 1024 bytes from the next eight; 64 values along n lie `chunk_bytes` from the next 64.
constexpr std::uint64_t turned_descriptor(std::uint32_t shared_address, std::uint32_t chunk_bytes) {
  constexpr std::uint64_t kStride = kTileAlignment / 16, kSwizzle128 = 1;
  return (shared_address >> 4 & 0x3fff) | std::uint64_t{chunk_bytes >> 4 & 0x3fff} << 16 | kStride << 32 |
         kSwizzle128 << 62;
}
/// From one slice of k to the next: 16 rows.
constexpr std::uint64_t kTurnedSliceStep = kSlice * kRowBytes / 16;

struct Place {
  int row, column;
};

/// Which element of the 64 x N product is the `i`-th sum of a thread (of 128): 16 rows a warp; of every eight
/// columns a thread has two neighbours in one row, and two more eight rows below.
constexpr Place sum_place(int thread, int i) {
  return {thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, i / 4 * 8 + thread % 4 * 2 + i % 2};
}

/// Which 16-byte row a lane names for stmatrix.x4 (and ldmatrix.x4), when the four matrices are 16 rows of
/// two neighbouring pieces: the matrices' order is that of sums 0, 2, 4 and 6 of a thread.
struct PieceOfLane {
  int row, piece;
};
constexpr PieceOfLane piece_of_lane(int lane) { return {lane % 16, lane / 16}; }

constexpr int kTf32Slice = 8;  ///< values of tf32 that one instruction multiplies: 32 bytes too

/// Where a thread's i-th value (of four) of 64 rows of 8 values of tf32 lies, when A comes from registers: 16
/// rows a warp, of which a thread has two, eight apart, and in each two columns, four apart.
constexpr Place tf32_place(int thread, int i) {
  return {thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8, thread % 4 + i / 2 * 4};
}

}  // namespace aisp::hopper
