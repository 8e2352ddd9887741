// SPDX-License-Identifier: Apache-2.0
// Transpose                                                             chapter 7, memory access
//
// The idea:          move whole cache lines: turn a tile in registers and write lines, complete, past
//                    the caches.
// What bounds it:    every float is read once and written once: 8 n^2 bytes; nothing is computed. n =
//                    4096 is 134 MB, about 10 ms at the 14 GB/s one core of a Xeon of 2021 copies.
// What to look for:  cache misses for each float: the baseline touches a new line with every store, and
//                    at a power of two all of a column's lines fall into the same few sets, so none
//                    survives until its neighbour is written: 64 bytes fetched and 64 written back for
//                    4. n=4000 is nearly as large as n=4096 and no power of two: compare the baselines.
#include "workloads/ch07_memory_access/transpose.h"

#include <algorithm>
#include <bit>

#include "aisp/core/combinations.h"
#include "workloads/simd.h"

namespace aisp::transpose {
namespace {

// ---- The problem and the reference: transpose.h -----------------------------------------------------

// ---- Baseline: two loops, along the rows of x -------------------------------------------------------
void naive(const Call& call) {
  const auto n = call.params()["n"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) y[j * n + i] = x[i * n + j];
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// A line holds 16 floats. Finish one 16 x 16 tile before starting the next, and its 16 lines of x and
// 16 of y are used up while they are still in L1: that alone is worth most of the ladder, in plain
// code. The next rung turns four columns of 16 rows in registers and so writes four complete lines at a
// time. The last sends these lines straight to memory: an ordinary store first fetches the line it is
// about to overwrite, and at power-of-two strides evicts another one for it. This stops paying where y
// fits in the cache and is read soon after.

// ---- Optimised 1: tiles -----------------------------------------------------------------------------
constexpr std::int64_t kTile = 16;  // one line of floats; larger tiles collide in L1 when n is a power of two

template <std::int64_t kSide = kTile>
void copy_tile(const float* x, float* y, std::int64_t n, std::int64_t i0, std::int64_t j0) {
  for (std::int64_t j = j0; j < std::min(j0 + kSide, n); ++j) {
    for (std::int64_t i = i0; i < std::min(i0 + kSide, n); ++i) y[j * n + i] = x[i * n + j];
  }
}

template <std::int64_t kSide = kTile>
void tile_by_tile(const Call& call) {
  const auto n = call.params()["n"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t i = 0; i < n; i += kSide) {
    for (std::int64_t j = 0; j < n; j += kSide) copy_tile<kSide>(x.data, y.data, n, i, j);
  }
}

void tiled(const Call& call) {
  switch (call.params()["tile"]) {
    case 4:
      return tile_by_tile<4>(call);
    case 8:
      return tile_by_tile<8>(call);
    case 32:
      return tile_by_tile<32>(call);
    case 64:
      return tile_by_tile<64>(call);
    default:
      return tile_by_tile<kTile>(call);
  }
}

std::optional<std::string> tile_is_too_large(const Params& params) {
  if (params["tile"] <= std::max(params["n"], kTile)) return std::nullopt;
  return "a tile of " + std::to_string(params["tile"]) + " is larger than the matrix";
}

#if defined(__x86_64__)

// ---- Optimised 2: four columns of sixteen rows, turned in registers ---------------------------------
/// Columns 0 to 3 of eight rows of x. Rows k and k + 4 share a register, so that the two shuffles each column
/// needs never cross its middle.
struct FourColumns {
  __m256 column[4];
};
__attribute__((target("avx2"))) inline FourColumns turn_eight_rows(const float* x, std::int64_t n) {
  __m256 rows[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    rows[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x + k * n)),
                                   _mm_loadu_ps(x + (k + 4) * n), 1);
  }
  const __m256 low01 = _mm256_unpacklo_ps(rows[0], rows[1]), high01 = _mm256_unpackhi_ps(rows[0], rows[1]);
  const __m256 low23 = _mm256_unpacklo_ps(rows[2], rows[3]), high23 = _mm256_unpackhi_ps(rows[2], rows[3]);
  return {{_mm256_shuffle_ps(low01, low23, 0x44), _mm256_shuffle_ps(low01, low23, 0xee),
           _mm256_shuffle_ps(high01, high23, 0x44), _mm256_shuffle_ps(high01, high23, 0xee)}};
}

template <bool kPastCaches>
__attribute__((target("avx2"))) inline void store(float* y, __m256 value) {
  if constexpr (kPastCaches) {
    _mm256_stream_ps(y, value);
  } else {
    _mm256_storeu_ps(y, value);
  }
}

template <bool kPastCaches>
__attribute__((target("avx2"))) void transpose_lines(const float* x, float* y, std::int64_t n) {
  const std::int64_t whole = n / kTile * kTile;
  for (std::int64_t i = 0; i < whole; i += kTile) {
    for (std::int64_t j = 0; j < whole; j += 4) {
      const FourColumns first = turn_eight_rows(x + i * n + j, n);
      const FourColumns second = turn_eight_rows(x + (i + 8) * n + j, n);
      // Both halves of a line at once: a partly written line costs a whole transfer.
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        store<kPastCaches>(y + (j + k) * n + i, first.column[k]);
        store<kPastCaches>(y + (j + k) * n + i + 8, second.column[k]);
      }
    }
  }
  if constexpr (kPastCaches) _mm_sfence();
  for (std::int64_t at = 0; at < n && whole < n; at += kTile) {  // the ragged edge, right and below
    copy_tile(x, y, n, at, whole);
    if (at < whole) copy_tile(x, y, n, whole, at);
  }
}

void avx2(const Call& call) {
  transpose_lines<false>(call.input<float>(kX).data, call.output<float>(kY).data, call.params()["n"]);
}

// ---- Optimised 3: the same, written past the caches -------------------------------------------------
void stream(const Call& call) {
  const auto n = call.params()["n"];
  const auto y = call.output<float>(kY);
  // Streaming needs aligned halves of lines, and pays once y no longer fits in the L2 of a core.
  constexpr std::int64_t kSmallest = std::int64_t{2} << 20;
  if (n % kTile != 0 || n * n * std::int64_t{sizeof(float)} < kSmallest) return avx2(call);
  transpose_lines<true>(call.input<float>(kX).data, y.data, n);
}

// ---- The three ideas as switches: what does each of them do without the others? ---------------------
// Blocking finishes 16 rows of a column, a whole line of y, before the next; without it rows come one by
// one, or as many as a register turns. Simd turns eight rows of four columns in registers. Streaming writes
// past the caches whatever it writes, and so shows what it is worth where lines are not written whole.
enum : unsigned { kBlocking = 1, kSimd = 2, kStreaming = 4 };

template <bool kPastCaches>
inline void store_one(float* y, float value) {
  if constexpr (kPastCaches) {
    _mm_stream_si32(reinterpret_cast<int*>(y), std::bit_cast<int>(value));
  } else {
    *y = value;
  }
}

/// Rows of x from i to i + kRows, four columns at a time in registers.
template <int kRows, bool kPastCaches>
__attribute__((target("avx2"))) void turn_rows(const float* x, float* y, std::int64_t n, std::int64_t i) {
  for (std::int64_t j = 0; j < n; j += 4) {
    FourColumns turned[kRows / 8];
#pragma GCC unroll 2
    for (int half = 0; half < kRows / 8; ++half)
      turned[half] = turn_eight_rows(x + (i + 8 * half) * n + j, n);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
#pragma GCC unroll 2
      for (int half = 0; half < kRows / 8; ++half)
        store<kPastCaches>(y + (j + k) * n + i + 8 * half, turned[half].column[k]);
    }
  }
}

/// The same, float by float; a row at a time is the baseline.
template <int kRows, bool kPastCaches>
void copy_rows(const float* x, float* y, std::int64_t n, std::int64_t i) {
  for (std::int64_t j0 = 0; j0 < n; j0 += kRows) {
    for (std::int64_t j = j0; j < j0 + kRows; ++j) {
      for (int row = 0; row < kRows; ++row) store_one<kPastCaches>(y + j * n + i + row, x[(i + row) * n + j]);
    }
  }
}

template <unsigned kOn>
void switched(const Call& call) {
  const auto n = call.params()["n"];
  // Registers and streamed vectors need whole tiles; the ragged sizes go the plain way, as in the ladder.
  if (n % kTile != 0) return (kOn & kBlocking) != 0 ? tile_by_tile(call) : naive(call);
  constexpr bool kPastCaches = (kOn & kStreaming) != 0;
  constexpr int kRows = (kOn & kBlocking) != 0 ? kTile : (kOn & kSimd) != 0 ? 8 : 1;
  const float* x = call.input<float>(kX).data;
  float* y = call.output<float>(kY).data;
  for (std::int64_t i = 0; i < n; i += kRows) {
    if constexpr ((kOn & kSimd) != 0) {
      turn_rows<kRows, kPastCaches>(x, y, n, i);
    } else {
      copy_rows<kRows, kPastCaches>(x, y, n, i);
    }
  }
  if constexpr (kPastCaches) _mm_sfence();
}

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "naive", .run = naive, .note = "row by row; every store in another line"},
      {.name = "tiled",
       .run = tiled,
       .note = "16 x 16 tiles",
       .unavailable = tile_is_too_large,
       .tunables = {{.name = "tile", .values = {4, 8, 16, 32, 64}, .fallback = kTile}}}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = avx2,
                    .note = "four columns turned in registers, whole lines written",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "stream",
                    .run = stream,
                    .note = "whole lines written past the caches",
                    .unavailable = simd::without_avx2});
  add_combinations(ladder,
                   {{"blocking", "16 x 16 tiles"},
                    {"simd", "columns turned in registers", simd::without_avx2},
                    {"streaming", "written past the caches"}},
                   [](auto on) { return CallFunction(switched<on>); });
#endif
  return ladder;
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: none. Floats are moved, not computed.
const Registration registered{{
    .id = "ch07/transpose",
    .title = "Transpose",
    .idea =
        "Turn tiles in registers and write complete cache lines, past the caches where the matrix is large.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "cache lines", "tiling"},
    .axes = {{.name = "n", .values = {1024, 2048, 4000, 4096}, .quick = {2048}, .small = 77}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::transpose
