// SPDX-License-Identifier: Apache-2.0
// Compaction                                                 chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          keep or drop by moving data, not by branching: an unpredictable branch costs more
//                    than the work it saves.
// What bounds it:    4 bytes read and 4 written a value. 256 x 1024 values are 2.1 MB, about 0.1 ms
//                    through the L2; a wrong guess for every second value, at 20 cycles and more, is 1
//                    ms.
// What to look for:  branch misses: one for every second value in the baseline, none in the others.
//                    Then instructions a value: 5 without branches, 1.5 with eight lanes at a time.
#include "workloads/ch08_occupancy_ilp/compaction.h"

#include <algorithm>
#include <array>
#include <bit>

#include "workloads/simd.h"

namespace aisp::compaction {
namespace {

// ---- The problem and the reference: compaction.h ----------------------------------------------------
/// Moves the positive values among in[0, cols) to out and returns how many.
using CompactRow = std::int64_t (*)(const float* in, std::int64_t cols, float* out);

template <CompactRow compact>
void by_rows(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto kept = call.output<float>(kKept);
  const auto counts = call.output<std::int32_t>(kCounts);
  for (std::int64_t r = 0; r < counts.size; ++r) {
    const std::int64_t count = compact(&x[r * cols], cols, &kept[r * cols]);
    std::fill(&kept[r * cols] + count, &kept[r * cols] + cols, kFiller);
    counts[r] = static_cast<std::int32_t>(count);
  }
}

// ---- Baseline: append what passes the test ----------------------------------------------------------
std::int64_t append(const float* in, std::int64_t cols, float* out) {
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < cols; ++c) {
    if (in[c] > 0) out[count++] = in[c];
  }
  return count;
}

// ---- The idea ---------------------------------------------------------------------------------------
// The processor guesses a branch before it knows the value, and half of these guesses are wrong. So
// store every value, wanted or not, and advance the position by 0 or 1: the next store overwrites what
// was not wanted, and never runs ahead of what has been read. With vectors the same happens to eight
// values at once: the comparison gives eight bits, the bits select one of 256 stored permutations that
// brings the wanted lanes to the front, the whole vector is stored, and the position advances by the
// number of bits. AVX-512 has the permutation as one instruction. Where the outcome can be predicted
// (sorted input, few survivors) the branch is as good.

// ---- Optimised 1: store always, advance sometimes ---------------------------------------------------
std::int64_t advance(const float* in, std::int64_t cols, float* out) {
  std::int64_t count = 0;
  for (std::int64_t c = 0; c < cols; ++c) {
    out[count] = in[c];
    count += in[c] > 0 ? 1 : 0;
  }
  return count;
}

#if defined(__x86_64__)

// ---- Optimised 2: eight values, one of 256 permutations ---------------------------------------------
/// Entry m: the positions of the bits set in m, one a byte, lowest first.
constexpr std::array<std::uint64_t, 256> kPermutations = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t mask = 0; mask < table.size(); ++mask) {
    int place = 0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) table[mask] |= lane << (8 * place++);
    }
  }
  return table;
}();

__attribute__((target("avx2,popcnt"))) std::int64_t permute8(const float* in, std::int64_t cols, float* out) {
  std::int64_t count = 0, c = 0;
  for (; c + 8 <= cols; c += 8) {
    const __m256 values = _mm256_loadu_ps(in + c);
    const __m256 positive = _mm256_cmp_ps(values, _mm256_setzero_ps(), _CMP_GT_OQ);
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(positive));
    const auto* bytes = reinterpret_cast<const __m128i*>(&kPermutations[mask]);
    const __m256i permutation = _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes));
    _mm256_storeu_ps(out + count, _mm256_permutevar8x32_ps(values, permutation));
    count += std::popcount(mask);
  }
  return count + advance(in + c, cols - c, out + count);
}

// ---- Optimised 3: sixteen values, one instruction ---------------------------------------------------
// Compressed into a register and stored whole: the form that writes only the lanes wanted is many times
// slower on some processors.
__attribute__((target("avx512f,popcnt"))) std::int64_t compress16(const float* in, std::int64_t cols,
                                                                  float* out) {
  std::int64_t count = 0, c = 0;
  for (; c + 16 <= cols; c += 16) {
    const __m512 values = _mm512_loadu_ps(in + c);
    const __mmask16 positive = _mm512_cmp_ps_mask(values, _mm512_setzero_ps(), _CMP_GT_OQ);
    _mm512_storeu_ps(out + count, _mm512_maskz_compress_ps(positive, values));
    count += std::popcount(static_cast<unsigned>(positive));
  }
  return count + advance(in + c, cols - c, out + count);
}

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "append", .run = CallFunction(by_rows<append>), .note = "a branch for every value"},
      {.name = "advance", .run = CallFunction(by_rows<advance>), .note = "store always, advance by 0 or 1"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(by_rows<permute8>),
                    .note = "eight values, permutation from a table",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "avx512",
                    .run = CallFunction(by_rows<compress16>),
                    .note = "sixteen values, compressed in one instruction",
                    .unavailable = simd::without_avx512});
#endif
  return ladder;
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: none. Values are moved and counted.
const Registration registered{{
    .id = "ch08/compaction",
    .title = "Compaction",
    .idea = "Store every value and advance only past the wanted ones, so that nothing has to be guessed.",
    .bound = Bound::latency,
    .tags = {"branches", "vectorisation", "filtering"},
    .axes = {{.name = "rows", .values = {256}, .small = 5},
             {.name = "cols", .values = {1024, 4096}, .quick = {1024}, .small = 203}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::compaction
