// SPDX-License-Identifier: Apache-2.0
// Cache blocking                                                                       chapter 2, hardware
//
// The idea:          finish everything that needs a piece of data while it is still in the cache.
// What bounds it:    32 queries against 65,536 vectors of 64 floats: 268 MFlop on a 16.8 MB table. In row
//                    order every query reads the whole table again, 537 MB in all; from the L3 or memory one
//                    core gets about 12 GB/s, so 45 ms. Blocked, the table comes in once (1.4 ms) and the
//                    other 31 reads are from the L1, at 70 GB/s and more: 8 ms.
// What to look for:  bytes from the L3 and from memory: 32 times the table before, once the table after. The
//                    number of instructions is the same to within a percent.
// Where it stops:    a table that fits the L2 anyway, or a single query: nothing is read twice.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "aisp/aisp.h"
#include "workloads/simd.h"

namespace aisp::cache_blocking {
namespace {

enum { kQueries, kVectors };
enum { kScores = 0 };

// ---- The problem: the dot product of every query with every vector -------------------------------
Problem problem(const Params& params) {
  const std::int64_t queries = params["queries"];
  const std::int64_t vectors = params["vectors"];
  const std::int64_t dim = params["dim"];
  const double pairs = static_cast<double>(queries) * static_cast<double>(vectors);
  const auto d = static_cast<double>(dim);
  return {.tensors = {input<float>("queries", {queries, dim}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<float>("vectors", {vectors, dim}, {uniform(-1, 1), wide_range(-6, 6)}),
                      output<float>("scores", {queries, vectors}, reduction(DType::f32, DType::f32, d))},
          .work = {.bytes = 4 * (d * static_cast<double>(queries + vectors) + pairs),
                   .flops = 2 * pairs * d,
                   .items = pairs}};
}

// ---- Reference: fp64, and the magnitude of what was added ----------------------------------------
void reference(const ReferenceCall& call) {
  const auto query = call.input<float>(kQueries);
  const auto vector = call.input<float>(kVectors);
  const std::int64_t vectors = call.params["vectors"];
  const std::int64_t dim = call.params["dim"];
  WideTensor& scores = call.outputs[kScores];
  scores.scale.resize(scores.value.size());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(scores.value.size()); ++i) {
    const float* q = query.data + i / vectors * dim;
    const float* v = vector.data + i % vectors * dim;
    double sum = 0;
    double scale = 0;
    for (std::int64_t k = 0; k < dim; ++k) {
      const double term = static_cast<double>(q[k]) * static_cast<double>(v[k]);
      sum += term;
      scale += std::fabs(term);
    }
    scores.value[static_cast<std::size_t>(i)] = sum;
    scores.scale[static_cast<std::size_t>(i)] = scale;
  }
}

// ---- What every rung shares: one query against `count` neighbouring vectors ----------------------
using Score = void (*)(const float* query, const float* vectors, std::int64_t count, std::int64_t dim,
                       float* scores);

void score_portable(const float* query, const float* vectors, std::int64_t count, std::int64_t dim,
                    float* scores) {
  for (std::int64_t i = 0; i < count; ++i, vectors += dim) {
    float sum[8] = {};  // eight chains, so that the compiler may use a vector for them
    std::int64_t k = 0;
    for (; k + 8 <= dim; k += 8) {
      for (int lane = 0; lane < 8; ++lane) sum[lane] += query[k + lane] * vectors[k + lane];
    }
    for (; k < dim; ++k) sum[0] += query[k] * vectors[k];
    scores[i] = ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
  }
}

#if defined(__x86_64__)
// Four vectors at a time: four independent chains, and one shared horizontal sum.
__attribute__((target("avx2,fma"))) void score_avx2(const float* query, const float* vectors,
                                                    std::int64_t count, std::int64_t dim, float* scores) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float* v0 = vectors + i * dim;
    const float* v1 = v0 + dim;
    const float* v2 = v1 + dim;
    const float* v3 = v2 + dim;
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = s0, s2 = s0, s3 = s0;
    std::int64_t k = 0;
    for (; k + 8 <= dim; k += 8) {
      const __m256 q = _mm256_loadu_ps(query + k);
      s0 = _mm256_fmadd_ps(q, _mm256_loadu_ps(v0 + k), s0);
      s1 = _mm256_fmadd_ps(q, _mm256_loadu_ps(v1 + k), s1);
      s2 = _mm256_fmadd_ps(q, _mm256_loadu_ps(v2 + k), s2);
      s3 = _mm256_fmadd_ps(q, _mm256_loadu_ps(v3 + k), s3);
    }
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(s0, s1), _mm256_hadd_ps(s2, s3));
    float sum[4];
    _mm_storeu_ps(sum, _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1)));
    for (; k < dim; ++k) {
      sum[0] += query[k] * v0[k];
      sum[1] += query[k] * v1[k];
      sum[2] += query[k] * v2[k];
      sum[3] += query[k] * v3[k];
    }
    std::memcpy(scores + i, sum, sizeof sum);
  }
  score_portable(query, vectors + i * dim, count - i, dim, scores + i);
}
#endif

Score best_score() {
#if defined(__x86_64__)
  if (simd::has_avx2()) return score_avx2;
#endif
  return score_portable;
}

// ---- Baseline: query after query, each through the whole table -----------------------------------
void row_order(const Call& call) {
  const auto query = call.input<float>(kQueries);
  const auto vector = call.input<float>(kVectors);
  const auto scores = call.output<float>(kScores);
  const std::int64_t queries = call.params()["queries"];
  const std::int64_t vectors = call.params()["vectors"];
  const std::int64_t dim = call.params()["dim"];
  const Score score = best_score();
  for (std::int64_t q = 0; q < queries; ++q) {
    score(query.data + q * dim, vector.data, vectors, dim, scores.data + q * vectors);
  }
}

// ---- The idea ------------------------------------------------------------------------------------
// When query 2 starts, the beginning of the table has long been pushed out of the L1 and the L2 by its end.
// Cut the table into blocks that fit and exchange the loops: all queries visit one block before the next is
// touched. The dot products, their order inside a score and the function that computes them stay the same;
// only the moment at which each is done moves. A block should leave room for what flows past it: 24 KiB of
// a 32 or 48 KiB L1, 256 KiB of a 512 KiB or larger L2. How much room that is depends on the machine and on
// `dim`; `aisp tune` tries.

// ---- Optimised: the same function, block by block ------------------------------------------------
void blocked(const Call& call) {
  const auto query = call.input<float>(kQueries);
  const auto vector = call.input<float>(kVectors);
  const auto scores = call.output<float>(kScores);
  const std::int64_t queries = call.params()["queries"];
  const std::int64_t vectors = call.params()["vectors"];
  const std::int64_t dim = call.params()["dim"];
  const std::int64_t block = std::max<std::int64_t>(4, call.params()["block_kib"] * 1024 / (dim * 4) / 4 * 4);
  const Score score = best_score();
  for (std::int64_t first = 0; first < vectors; first += block) {
    const std::int64_t count = std::min(block, vectors - first);
    for (std::int64_t q = 0; q < queries; ++q) {
      score(query.data + q * dim, vector.data + first * dim, count, dim, scores.data + q * vectors + first);
    }
  }
}

// ---- Registration --------------------------------------------------------------------------------
// Tolerance: a sum of `dim` products in fp32 in any order, relative to the sum of their magnitudes.
const Registration registered{{
    .id = "ch02/cache_blocking",
    .title = "Cache blocking",
    .idea = "Finish everything that needs a piece of data while it is still in the cache.",
    .bound = Bound::cache,
    .tags = {"cache", "vector_search"},
    .axes = {{.name = "vectors", .values = {32768, 65536}, .quick = {65536}, .small = 517},
             {.name = "queries", .values = {32}, .small = 7},
             {.name = "dim", .values = {64}, .small = 67}},
    .problem = problem,
    .reference = reference,
    .variants =
        {{.name = "row_order", .run = CallFunction{row_order}, .note = "every query reads the whole table"},
         {.name = "l2_blocks",
          .run = CallFunction{blocked},
          .note = "all queries visit one L2-sized block before the next",
          .tunables = {{.name = "block_kib", .values = {96, 128, 192, 256, 384, 512, 768}, .fallback = 256}}},
         {.name = "l1_blocks",
          .run = CallFunction{blocked},
          .note = "the same with blocks that fit the L1",
          .tunables = {{.name = "block_kib", .values = {4, 8, 12, 16, 24, 32, 48}, .fallback = 24}}}},
}};

}  // namespace
}  // namespace aisp::cache_blocking
