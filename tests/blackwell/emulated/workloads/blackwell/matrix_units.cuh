// SPDX-License-Identifier: Apache-2.0
/// \file
/// The matrix units, emulated: they decode the words that they are given, as the manual has them, and
/// multiply when they come to it, in the order that they were asked in.
#pragma once

#include <bit>
#include <cstring>

#include "workloads/blackwell/tensor_memory.cuh"

#define AISP_TCGEN05  // the kernels have bodies

namespace aisp::blackwell {

inline bool elected() { return threadIdx.x % 32 == 0; }

/// 16 values of k of a row of what a descriptor names, in the shared memory of block `rank`.
inline std::array<float, 16> read_row(std::uint64_t descriptor, int row, int rank) {
  forbid((descriptor >> 46 & 7) != 1 || descriptor >> 61 != 2 || (descriptor >> 49 & 0xfff) != 0,
         "a tile descriptor of another kind");
  const auto start = static_cast<std::uint32_t>(descriptor & 0x3fff) << 4,
             stride = static_cast<std::uint32_t>(descriptor >> 32 & 0x3fff) << 4;
  std::array<float, 16> values;
  for (std::uint32_t k = 0; k < 16; ++k) {
    const std::uint32_t plain = start + static_cast<std::uint32_t>(row / 8) * stride +
                                static_cast<std::uint32_t>(row % 8) * 128 + k * 2;
    std::uint16_t bits;
    std::memcpy(&bits,
                emulated::place_of((plain ^ (plain >> 7 & 7) << 4) | static_cast<std::uint32_t>(rank) << 24),
                sizeof bits);
    values[k] = std::bit_cast<float>(std::uint32_t{bits} << 16);
  }
  return values;
}

inline void multiply_now(int blocks, std::uint32_t sums, std::uint64_t a, std::uint64_t b,
                         std::uint32_t shape, bool add) {
  const int rows = static_cast<int>(shape >> 24 & 31) * 16, columns = static_cast<int>(shape >> 17 & 63) * 8;
  const int each = columns / blocks, first = static_cast<int>(sums & 0xffff);
  forbid((shape & 0xe081ffff) != 0x490, "an instruction descriptor of another kind");
  forbid(rows != kLanes * blocks || sums >> 16 != 0, "a layout of sums that these rungs do not have");
  std::vector<std::array<float, 16>> of_b;
  for (int column = 0; column < columns; ++column) of_b.push_back(read_row(b, column % each, column / each));
  for (int row = 0; row < rows; ++row) {
    emulated::Block& block =
        emulated::self().block->cluster.blocks.at(static_cast<std::size_t>(row / kLanes));
    forbid(first + columns > block.columns_taken, "multiplies into columns that were not taken");
    const std::array<float, 16> of_a = read_row(a, row % kLanes, row / kLanes);
    float* to = block.tensor[static_cast<std::size_t>(row % kLanes)].data() + first;
    for (const std::array<float, 16>& column : of_b) {
      float sum = add ? *to : 0;
      for (std::size_t k = 0; k < 16; ++k) sum += of_a[k] * column[k];
      *to++ = sum;
    }
  }
}

inline void ask_units(std::function<void()> work) {
  emulated::Block* block = emulated::self().block;
  block->cluster.products->ask([block, work = std::move(work)] {
    emulated::self().block = block;
    work();
  });
}

template <int kBlocks>
void multiply_step(std::uint32_t sums, const void* a, const void* b, std::uint32_t shape, bool add) {
  forbid(!emulated::self().fenced, "multiplies without a fence after it waited");
  const std::uint64_t of_a = tile_descriptor(hopper::shared_address(a)),
                      of_b = tile_descriptor(hopper::shared_address(b));
  ask_units([=] {
    for (std::uint64_t slice = 0; slice < kRowValues / kSlice; ++slice)
      multiply_now(kBlocks, sums, of_a + slice * kSliceStep, of_b + slice * kSliceStep, shape,
                   add || slice > 0);
  });
}

inline void arrive_when_multiplied(hopper::Barrier& barrier) {
  ask_units([&barrier] { barrier.arrive(); });
}
inline void arrive_when_multiplied(hopper::Barrier& barrier, std::uint16_t blocks) {
  ask_units([&barrier, blocks] {
    for (unsigned rank = 0; rank < 2; ++rank) {
      if (blocks >> rank & 1) barrier.arrive_at(rank);
    }
  });
}

}  // namespace aisp::blackwell
