// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/line_kernels.h"

#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/grid.cuh"
#include "aisp/device/gpu/content_sum.h"
#include "aisp/device/line_words.h"

namespace aisp::cuda {
namespace {

using device::content_term;
using device::line_word;

/// Byte `at` of the words of `seed`.
__device__ std::byte line_byte(std::uint64_t seed, std::uint64_t set, std::uint64_t at) {
  return static_cast<std::byte>((line_word(seed, at / 8) | set) >> (8 * (at % 8)));
}

__global__ void fill_words(std::uint64_t* words, std::uint64_t count, std::uint64_t seed, std::uint64_t set) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) words[i] = line_word(seed, i) | set;
}

__global__ void fill_bytes(std::byte* begin, std::uint64_t from, std::uint64_t to, std::uint64_t seed,
                           std::uint64_t set) {
  for (std::uint64_t at = from + first_index(); at < to; at += index_step())
    begin[at] = line_byte(seed, set, at);
}

__global__ void count_damage(const std::byte* begin, std::uint64_t bytes, std::uint64_t seed, Found* found) {
  for (std::uint64_t at = first_index(); at < bytes; at += index_step()) {
    if (begin[at] == line_byte(seed, 0, at)) continue;
    atomicAdd(&found->count, 1ull);
    atomicMin(&found->first, static_cast<unsigned long long>(at));
    atomicMax(&found->last, static_cast<unsigned long long>(at));
  }
}

/// A warp adds up before it tells, so that a buffer full of poison is counted as fast as one without.
__device__ void add_once_a_warp(unsigned long long* total, std::uint64_t mine) {
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(~0u, mine, distance);
  if (threadIdx.x % 32 == 0 && mine != 0) atomicAdd(total, static_cast<unsigned long long>(mine));
}

template <class Piece>
__global__ void count_poison(const Piece* pieces, std::uint64_t count, std::uint64_t seed, std::uint64_t set,
                             Found* found) {
  constexpr std::uint64_t per_word = 8 / sizeof(Piece);
  std::uint64_t left = 0;
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    const std::uint64_t word = line_word(seed, i / per_word) | set;
    left += pieces[i] == static_cast<Piece>(word >> (8 * sizeof(Piece) * (i % per_word)));
  }
  add_once_a_warp(&found->count, left);
}

__global__ void sum_words(const std::byte* begin, std::uint64_t bytes, Found* found) {
  std::uint64_t sum = 0;
  const std::uint64_t whole = bytes / 8;
  const auto* words = reinterpret_cast<const std::uint64_t*>(begin);
  for (std::uint64_t i = first_index(); i < whole; i += index_step()) sum += content_term(words[i], i);
  if (bytes % 8 != 0 && first_index() == 0) {
    std::uint64_t last = 0;
    for (std::uint64_t b = 0; b < bytes % 8; ++b)
      last |= static_cast<std::uint64_t>(begin[8 * whole + b]) << (8 * b);
    sum += content_term(last, whole);
  }
  add_once_a_warp(&found->sum, sum);
}

}  // namespace

void fill_lines(std::byte* begin, std::size_t bytes, std::uint64_t seed, std::uint64_t set) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(begin) % 8 == 0;
  const std::size_t whole = aligned ? bytes / 8 * 8 : 0;
  if (whole > 0) {
    fill_words<<<grid_blocks(whole / 8), kGridThreads>>>(reinterpret_cast<std::uint64_t*>(begin), whole / 8,
                                                         seed, set);
  }
  if (whole < bytes) fill_bytes<<<grid_blocks(bytes - whole), kGridThreads>>>(begin, whole, bytes, seed, set);
  check_launch("filling guard words or poison");
}

void find_damage(const std::byte* begin, std::size_t bytes, std::uint64_t seed, Found* found) {
  count_damage<<<grid_blocks(bytes), kGridThreads>>>(begin, bytes, seed, found);
  check_launch("looking at guard words");
}

void find_poison(const std::byte* begin, std::size_t bytes, std::size_t piece_bytes, std::uint64_t seed,
                 std::uint64_t set, Found* found) {
  const std::uint64_t pieces = bytes / piece_bytes;
  if (pieces == 0) return;
  const unsigned blocks = grid_blocks(pieces);
  if (piece_bytes == 2) {
    count_poison<<<blocks, kGridThreads>>>(reinterpret_cast<const std::uint16_t*>(begin), pieces, seed, set,
                                           found);
  } else if (piece_bytes == 4) {
    count_poison<<<blocks, kGridThreads>>>(reinterpret_cast<const std::uint32_t*>(begin), pieces, seed, set,
                                           found);
  } else {
    count_poison<<<blocks, kGridThreads>>>(reinterpret_cast<const std::uint64_t*>(begin), pieces, seed, set,
                                           found);
  }
  check_launch("looking for poison");
}

void add_contents(const std::byte* begin, std::size_t bytes, Found* found) {
  sum_words<<<grid_blocks(bytes / 8 + 1), kGridThreads>>>(begin, bytes, found);
  check_launch("adding up contents");
}

}  // namespace aisp::cuda
