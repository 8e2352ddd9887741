// SPDX-License-Identifier: Apache-2.0
// Roofline                                                               chapter 6, CUDA basics
//
// The idea:          work on what is already in registers is free until arithmetic takes longer than
//                    memory.
// What bounds it:    8 bytes a value, or 2 k flops a value, whichever takes longer. 8 M values are 67 MB:
//                    1.8 ms at the 37 GB/s that one core of an EPYC copies; a step of all of them is 0.14 ms
//                    at its 118 GFLOP/s (`aisp peak`). They meet at k = 13.
// What to look for:  time against `k`: level up to the knee, then proportional. Left of the knee a loop is
//                    judged by its bytes, right of it by its flops.
// Where it stops:    a roof is reached only with enough in flight. A step waits for the one before, 4
//                    cycles: one chain of vectors has an eighth of the arithmetic such a core is capable of.
#include "workloads/ch06_cuda_basics/roofline_intensity.h"

#include <algorithm>

#include "workloads/simd.h"

namespace aisp::roofline_intensity {
namespace {

// ---- The problem and the reference: roofline_intensity.h --------------------------------------------

// ---- Baseline: a step a pass over memory ------------------------------------------------------------
/// One flop for every four bytes, however many steps there are: what a library of small operations does.
/// The compiler makes vectors of it by itself.
void one_step(const float* x, float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = kA * x[i] + kB;
}

void passes(const Call& call) {
  const auto x = call.input<float>(kX);
  float* y = call.output<float>(kY).data;
  const float* from = x.data;
  for (std::int64_t pass = 0; pass < call.params()["k"]; ++pass, from = y) one_step(from, y, x.size);
}

// ---- The idea ---------------------------------------------------------------------------------------
// A value that has been fetched can be used again at no cost in bytes. k steps in one pass have k times the
// intensity of one step, in flops for each byte, and take no longer, until the core has as much to do as
// memory has: the knee of the roofline.
//
// Right of it arithmetic is the limit, and there three things count: lanes, a multiply-add as one
// instruction, and chains. A core starts two multiply-adds a cycle and has the result of each four cycles
// later, so eight vectors have to be under way. One value at a time, which is how one would write this
// first, is slower than the baseline: 3 s instead of 0.35 s at k=256.
//
// Left of it bytes are the limit. A store to a line that is not in the cache fetches it first: 12 bytes a
// value. Written past the caches they are 8.

// ---- Optimised 1: all steps in one pass, sixteen values at a time -----------------------------------
/// `count` values through k steps.
using Steps = void (*)(const float* x, float* y, std::int64_t count, std::int64_t k);
constexpr std::int64_t kBlock = 16;  ///< four chains of four lanes in plain x86-64

void plain_steps(const float* x, float* y, std::int64_t count, std::int64_t k) {
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    float v[kBlock];
    for (int j = 0; j < kBlock; ++j) v[j] = x[i + j];
    for (std::int64_t s = 0; s < k; ++s) {
      for (int j = 0; j < kBlock; ++j) v[j] = kA * v[j] + kB;
    }
    for (int j = 0; j < kBlock; ++j) y[i + j] = v[j];
  }
  for (; i < count; ++i) {
    float v = x[i];
    for (std::int64_t s = 0; s < k; ++s) v = kA * v + kB;
    y[i] = v;
  }
}

/// On the calling thread.
template <Steps steps>
void in_one_pass(const Call& call) {
  const auto x = call.input<float>(kX);
  steps(x.data, call.output<float>(kY).data, x.size, call.params()["k"]);
}

#if defined(__x86_64__)

// ---- Optimised 2 and 3: vectors and fused multiply-adds, one chain of them or eight -----------------
template <int kChains, bool kPastCaches = false>
__attribute__((target("avx2,fma"))) void steps8(const float* x, float* y, std::int64_t count,
                                                std::int64_t k) {
  const __m256 a = _mm256_set1_ps(kA), b = _mm256_set1_ps(kB);
  const std::int64_t whole = count / (8 * kChains) * (8 * kChains);
  for (std::int64_t i = 0; i < whole; i += 8 * kChains) {
    __m256 v[kChains];
#pragma GCC unroll 8
    for (int j = 0; j < kChains; ++j) v[j] = _mm256_loadu_ps(x + i + 8 * j);
    for (std::int64_t s = 0; s < k; ++s) {
#pragma GCC unroll 8
      for (int j = 0; j < kChains; ++j) v[j] = _mm256_fmadd_ps(a, v[j], b);
    }
#pragma GCC unroll 8
    for (int j = 0; j < kChains; ++j) {
      if constexpr (kPastCaches) {
        _mm256_stream_ps(y + i + 8 * j, v[j]);
      } else {
        _mm256_storeu_ps(y + i + 8 * j, v[j]);
      }
    }
  }
  if constexpr (kPastCaches) _mm_sfence();
  plain_steps(x + whole, y + whole, count - whole, k);
}

template <int kChains, bool kPastCaches = false>
__attribute__((target("avx512f"))) void steps16(const float* x, float* y, std::int64_t count,
                                                std::int64_t k) {
  const __m512 a = _mm512_set1_ps(kA), b = _mm512_set1_ps(kB);
  const std::int64_t whole = count / (16 * kChains) * (16 * kChains);
  for (std::int64_t i = 0; i < whole; i += 16 * kChains) {
    __m512 v[kChains];
#pragma GCC unroll 8
    for (int j = 0; j < kChains; ++j) v[j] = _mm512_loadu_ps(x + i + 16 * j);
    for (std::int64_t s = 0; s < k; ++s) {
#pragma GCC unroll 8
      for (int j = 0; j < kChains; ++j) v[j] = _mm512_fmadd_ps(a, v[j], b);
    }
#pragma GCC unroll 8
    for (int j = 0; j < kChains; ++j) {
      if constexpr (kPastCaches) {
        _mm512_stream_ps(y + i + 16 * j, v[j]);
      } else {
        _mm512_storeu_ps(y + i + 16 * j, v[j]);
      }
    }
  }
  if constexpr (kPastCaches) _mm_sfence();
  steps8<1>(x + whole, y + whole, count - whole, k);
}

#endif

// ---- Optimised 4: written past the caches -----------------------------------------------------------
/// Eight chains of the widest vectors there are. They end on whole lines, which stores past the caches need.
Steps widest([[maybe_unused]] bool past_caches) {
#if defined(__x86_64__)
  if (simd::has_avx512()) return past_caches ? steps16<8, true> : steps16<8, false>;
  if (simd::has_avx2()) return past_caches ? steps8<8, true> : steps8<8, false>;
#endif
  return plain_steps;
}

/// Pays once y no longer fits in the L2 of a core.
bool is_large(std::int64_t values) { return values * std::int64_t{sizeof(float)} >= std::int64_t{2} << 20; }

void chains(const Call& call) {
  const auto x = call.input<float>(kX);
  widest(false)(x.data, call.output<float>(kY).data, x.size, call.params()["k"]);
}

void streamed(const Call& call) {
  const auto x = call.input<float>(kX);
  widest(is_large(x.size))(x.data, call.output<float>(kY).data, x.size, call.params()["k"]);
}

// ---- Optimised 5: all threads -----------------------------------------------------------------------
/// Pieces begin on whole lines. The last one has the rest.
void team(const Call& call) {
  const auto x = call.input<float>(kX);
  float* y = call.output<float>(kY).data;
  const Steps steps = widest(is_large(x.size));
  call.team().run([&](int thread, int threads) {
    const std::int64_t lines = x.size / kBlock;
    const std::int64_t first = lines * thread / threads * kBlock;
    const std::int64_t end = thread + 1 == threads ? x.size : lines * (thread + 1) / threads * kBlock;
    steps(x.data + first, y + first, end - first, call.params()["k"]);
  });
}

// ---- Registration -----------------------------------------------------------------------------------
std::vector<Variant> variants() {
  std::vector<Variant> ladder = {{.name = "passes", .run = passes, .note = "a pass over memory a step"},
                                 {.name = "one_pass",
                                  .run = CallFunction(in_one_pass<plain_steps>),
                                  .note = "all steps in one pass, sixteen values at a time"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "vectors",
                    .run = CallFunction(in_one_pass<steps8<1>>),
                    .note = "eight lanes, one multiply-add a step, one chain",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "chains",
                    .run = chains,
                    .note = "eight chains of the widest vectors",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "streamed",
                    .run = streamed,
                    .note = "written past the caches",
                    .unavailable = simd::without_avx2});
#endif
  ladder.push_back({.name = "team", .run = team, .note = "all threads"});
  return ladder;
}

const Registration registered{{
    .id = "ch06/roofline_intensity",
    .title = "Roofline",
    .idea = "Work on what is in registers is free until arithmetic takes longer than memory.",
    .bound = Bound::memory,
    .tags = {"roofline", "intensity"},
    .axes = {{.name = "n", .values = {1 << 23}, .small = 34571},
             {.name = "k", .values = {1, 4, 16, 64, 256}, .quick = {16}, .small = 37},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::roofline_intensity
