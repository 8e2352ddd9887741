// SPDX-License-Identifier: Apache-2.0
// Reduction                                                             chapter 7, memory access
//
// The idea:          a sum is as fast as its loads, once additions stop waiting for each other and
//                    enough cache lines are asked for at the same time.
// What bounds it:    4 bytes and one addition a value. 16 x 4 M floats are 268 MB: 16 ms at the 17 GB/s
//                    one core of a Xeon of 2021 reads; a single chain of additions, 4 cycles each, takes
//                    90 ms whatever the memory does.
// What to look for:  in cache, cycles per addition: 4 is the latency of one chain. Out of cache,
//                    outstanding L1 misses: one stream of loads leaves a third of what the core could
//                    read unread.
// Where it stops:    at 0.97 of the read bandwidth of memory, which the listed sizes are judged by: no
//                    cache holds them. cols=2048 (suite quick) stays in an L2, where the start and the end
//                    of each short row take as long as its loads.
#include "workloads/ch07_memory_access/reduction.h"

#include <algorithm>

#include "workloads/simd.h"

namespace aisp::reduction_rows {
namespace {

// ---- The problem and the reference: reduction.h -----------------------------------------------------

// ---- Baseline: one accumulator, wide because the rows are long --------------------------------------
// The compiler may not reorder a floating-point sum, so this stays one addition after the other.
double sum_chain(const float* x, std::int64_t count) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

/// All rungs share the rows between the threads of the team alike.
template <double (*sum)(const float*, std::int64_t)>
void by_rows(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  call.team().run([&](int thread, int threads) {
    for (std::int64_t r = y.size * thread / threads; r < y.size * (thread + 1) / threads; ++r) {
      y[r] = static_cast<float>(sum(&x[r * cols], cols));
    }
  });
}

// ---- The idea ---------------------------------------------------------------------------------------
// 1. Eight accumulators make eight chains: the adder starts a new addition every cycle instead of every
//    fourth.
// 2. A vector adds eight floats at once. Lanes run in float over at most 256 terms and are then
//    widened, which costs nothing and keeps a row of millions exact to a few units.
// 3. Beyond the caches the loads are what is left. A core reads faster the more lines it has asked for,
//    and the hardware prefetcher follows each 4 KB page by itself. So walk 16 pages side by side and
//    ask for the same line of the next 16 while adding this one. Here 17 GB/s instead of 12; more pages
//    than 32 lose again.
// 4. Newer cores read no faster by any pattern of prefetches. What helps them is four streams a quarter
//    of the row apart, a line of each in turn: four prefetchers run ahead instead of one. (One core of
//    an EPYC of 2022: 31.6 GB/s instead of 29.8.)
// 5. Where a vector is a whole line, a load is a line asked for. Some cores gain by it, others lose.

// ---- Optimised 1: eight chains ----------------------------------------------------------------------
double sum_chains(const float* x, std::int64_t count) {
  double sums[8] = {};
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int lane = 0; lane < 8; ++lane) sums[lane] += x[i + lane];
  }
  double sum = 0;
  for (; i < count; ++i) sum += x[i];
  for (const double lane : sums) sum += lane;
  return sum;
}

#if defined(__x86_64__)

/// In four chains again: a short row ends every hundred cycles.
__attribute__((target("avx2,fma"))) inline double widened_sum(const __m256 (&sums)[8]) {
  __m256d wide[4] = {};
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) {
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(sums[k]));
    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(sums[k], 1));
    wide[k % 4] = _mm256_add_pd(wide[k % 4], _mm256_add_pd(low, high));
  }
  const __m256d all = _mm256_add_pd(_mm256_add_pd(wide[0], wide[1]), _mm256_add_pd(wide[2], wide[3]));
  const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(all), _mm256_extractf128_pd(all, 1));
  return _mm_cvtsd_f64(half) + _mm_cvtsd_f64(_mm_unpackhi_pd(half, half));
}

// ---- Optimised 2: eight chains of eight lanes -------------------------------------------------------
constexpr std::int64_t kStep = 8 * 8;

__attribute__((target("avx2,fma"))) double sum_vectors(const float* x, std::int64_t count) {
  double total = 0;
  std::int64_t i = 0;
  while (i + kStep <= count) {
    const std::int64_t end = std::min(count / kStep * kStep, i + kFloatRun * kStep);
    __m256 sums[8] = {};
    for (; i < end; i += kStep) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) sums[k] = _mm256_add_ps(sums[k], _mm256_loadu_ps(x + i + 8 * k));
    }
    total += widened_sum(sums);
  }
  for (; i < count; ++i) total += x[i];
  return total;
}

// ---- Optimised 3: the same, sixteen pages side by side ----------------------------------------------
constexpr std::int64_t kPage = 4096 / sizeof(float), kPages = 16, kLine = 64 / sizeof(float);

__attribute__((target("avx2,fma"))) double sum_pages(const float* x, std::int64_t count) {
  double total = 0;
  std::int64_t i = 0;
  for (; i + kPages * kPage <= count; i += kPages * kPage) {
    __m256 sums[8] = {};  // 256 terms a lane: 64 KB over 64 lanes
    for (const float* line = x + i; line < x + i + kPage; line += kLine) {
#pragma GCC unroll 16
      for (int page = 0; page < kPages; ++page) {
        const float* at = line + page * kPage;
        const int chain = page % 4 * 2;
        _mm_prefetch(at + kPages * kPage, _MM_HINT_T0);
        sums[chain] = _mm256_add_ps(sums[chain], _mm256_loadu_ps(at));
        sums[chain + 1] = _mm256_add_ps(sums[chain + 1], _mm256_loadu_ps(at + 8));
      }
    }
    total += widened_sum(sums);
  }
  return total + sum_vectors(x + i, count - i);
}

// ---- Optimised 4: four streams, a line of each in turn ----------------------------------------------
constexpr std::int64_t kStreams = 4;

__attribute__((target("avx2,fma"))) double sum_quarters(const float* x, std::int64_t count) {
  double total = 0;
  const std::int64_t quarter = count / kStreams / kLine * kLine;
  for (std::int64_t i = 0; i < quarter;) {
    const std::int64_t end = std::min(quarter, i + kFloatRun * kLine);
    __m256 sums[2 * kStreams] = {};
    for (; i < end; i += kLine) {
#pragma GCC unroll 4
      for (int s = 0; s < kStreams; ++s) {
        const float* line = x + s * quarter + i;
        sums[2 * s] = _mm256_add_ps(sums[2 * s], _mm256_loadu_ps(line));
        sums[2 * s + 1] = _mm256_add_ps(sums[2 * s + 1], _mm256_loadu_ps(line + 8));
      }
    }
    total += widened_sum(sums);
  }
  return total + sum_vectors(x + kStreams * quarter, count - kStreams * quarter);
}

// ---- Optimised 5: four streams of whole lines -------------------------------------------------------
constexpr std::int64_t kLines = 8, kLineStep = kLines * kLine;

__attribute__((target("avx512f,avx512dq"))) inline double widened_sum16(const __m512 (&sums)[2 * kStreams]) {
  __m512d wide[2] = {};
#pragma GCC unroll 8
  for (int k = 0; k < 2 * kStreams; ++k) {
    wide[0] = _mm512_add_pd(wide[0], _mm512_cvtps_pd(_mm512_castps512_ps256(sums[k])));
    wide[1] = _mm512_add_pd(wide[1], _mm512_cvtps_pd(_mm512_extractf32x8_ps(sums[k], 1)));
  }
  return _mm512_reduce_add_pd(_mm512_add_pd(wide[0], wide[1]));
}

__attribute__((target("avx512f,avx512dq"))) double sum_streams(const float* x, std::int64_t count) {
  double total = 0;
  const std::int64_t stream = count / kStreams / kLineStep * kLineStep;
  for (std::int64_t i = 0; i < stream;) {
    // Two chains for each stream, each with half of the lines of a step.
    const std::int64_t end = std::min(stream, i + kFloatRun / (kLines / 2) * kLineStep);
    __m512 sums[2 * kStreams] = {};
    for (; i < end; i += kLineStep) {
#pragma GCC unroll 8
      for (int line = 0; line < kLines; ++line) {
#pragma GCC unroll 4
        for (int s = 0; s < kStreams; ++s) {
          __m512& sum = sums[2 * s + line % 2];
          sum = _mm512_add_ps(sum, _mm512_loadu_ps(x + s * stream + i + line * kLine));
        }
      }
    }
    total += widened_sum16(sums);
  }
  return total + sum_vectors(x + kStreams * stream, count - kStreams * stream);
}

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "chain", .run = CallFunction(by_rows<sum_chain>), .note = "one accumulator"},
      {.name = "chains", .run = CallFunction(by_rows<sum_chains>), .note = "eight accumulators"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(by_rows<sum_vectors>),
                    .note = "eight lanes in each",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "pages",
                    .run = CallFunction(by_rows<sum_pages>),
                    .note = "sixteen pages side by side, prefetched",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "quarters",
                    .run = CallFunction(by_rows<sum_quarters>),
                    .note = "four quarters of a row, a line of each in turn",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "streams",
                    .run = CallFunction(by_rows<sum_streams>),
                    .note = "four streams of whole lines",
                    .unavailable = simd::without_avx512});
#endif
  return ladder;
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: float runs of at most 256 terms, then double (reduction.h).
const Registration registered{{
    .id = "ch07/reduction",
    .title = "Reduction",
    .idea =
        "Break the chain of additions, then keep enough cache lines in flight to read at the memory's pace.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "ilp", "prefetch"},
    .axes = {{.name = "rows", .values = {16}, .small = 5},
             {.name = "cols", .values = {1 << 21, 1 << 22}, .quick = {2048, 1 << 21}, .small = 34571},
             {.name = "threads", .values = {1, 2}, .quick = {2}, .small = 2}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::reduction_rows
