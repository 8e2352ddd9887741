// SPDX-License-Identifier: Apache-2.0
/// \file
/// Guard words, poison and checksums in device memory: launches only, on the default stream. CudaData puts
/// them together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aisp::cuda {

/// Where a kernel adds up what it finds.
struct Found {
  unsigned long long count = 0;
  unsigned long long first = ~0ull;
  unsigned long long last = 0;
  unsigned long long sum = 0;
};

void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set);
/// Bytes that differ from the words of `seed`.
void find_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed, Found* found);
/// Pieces of `piece_bytes`, 2, 4 or 8, that equal the words of `seed` with the bits of `set`: their count.
void find_poison(const std::byte* begin, std::size_t bytes, std::size_t piece_bytes, std::uint64_t seed,
                 std::uint64_t set, Found* found);
/// content_sum() without its start.
void add_contents(const std::byte* begin, std::size_t bytes, Found* found);

}  // namespace aisp::cuda
