// SPDX-License-Identifier: Apache-2.0
// Flash attention                                                    chapter 10, pipelining and tiles
// The idea:          never hold the score matrix: soften it tile by tile and correct earlier sums.
// What bounds it:    arithmetic, 256 flops per query and key: 537 Mflop at seq=1024, heads=2, that is 5 ms at
//                    100 Gflop/s; and one exp per score, 2.1 million of them. Inputs and outputs are 2 MB.
//                    The scores of one head are 4 MB, written once and read three times by the baseline.
// What to look for:  flop rate against ch09/sgemm; `perf stat` shows the baseline's misses in L2 growing with
//                    the square of seq, the tiles' not at all.
#include "workloads/ch10_pipelining/flash_attention_tiles.h"

namespace aisp::flash_attention {
namespace {

// ---- The problem and the reference: flash_attention.h -------------------------------------------
// ---- Baseline: three passes over a matrix of scores ---------------------------------------------
// The formula as it is written. A framework without a fused operator runs the same three passes, with a
// tuned matrix product for the first and the last: its arithmetic is faster, the matrix of scores in
// memory is the same.
constexpr std::int64_t kLanes =
    8;  // independent sums: a single chain would wait for itself, and that is ch07

float dot(const float* a, const float* b) {
  float lanes[kLanes] = {};
  for (std::int64_t d = 0; d < kDim; d += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[d + lane] * b[d + lane];
  }
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

void naive(const Call& call) {
  const auto seq = call.params()["seq"];
  float* scores = call.plan<std::vector<float>>().data();
  for (std::int64_t h = 0; h < call.params()["heads"]; ++h) {
    const float* q = &call.input<float>(kQ)[h * seq * kDim];
    const float* k = &call.input<float>(kK)[h * seq * kDim];
    const float* v = &call.input<float>(kV)[h * seq * kDim];
    float* o = &call.output<float>(kO)[h * seq * kDim];
    for (std::int64_t i = 0; i < seq; ++i) {
      for (std::int64_t j = 0; j < visible(i, seq, call.params()["causal"] != 0); ++j) {
        scores[i * seq + j] = dot(q + i * kDim, k + j * kDim) * kScoreScale;
      }
    }
    for (std::int64_t i = 0; i < seq; ++i) {
      float* row = scores + i * seq;
      const std::int64_t count = visible(i, seq, call.params()["causal"] != 0);
      const float max = *std::max_element(row, row + count);
      float sum = 0;
      for (std::int64_t j = 0; j < count; ++j) sum += row[j] = std::exp(row[j] - max);
      for (std::int64_t j = 0; j < count; ++j) row[j] /= sum;
    }
    for (std::int64_t i = 0; i < seq; ++i) {
      std::fill_n(o + i * kDim, kDim, 0.0f);
      for (std::int64_t j = 0; j < visible(i, seq, call.params()["causal"] != 0); ++j) {
        for (std::int64_t d = 0; d < kDim; ++d) o[i * kDim + d] += scores[i * seq + j] * v[j * kDim + d];
      }
    }
  }
}
std::shared_ptr<void> prepare_scores(const Setup& setup) {
  return std::make_shared<std::vector<float>>(setup.params["seq"] * setup.params["seq"]);
}

// ---- The idea -----------------------------------------------------------------------------------
// softmax needs the largest score of a row before it can weigh the first one, which seems to force the
// whole row into memory. It does not: keep the largest score so far, and when a tile of keys brings a
// larger one, multiply the sums made so far by exp(old - new). After the last tile the sums are as if
// the maximum had been known from the start. So a tile of scores lives for a moment in cache, between a
// product with the keys and a product with the values. Both are small dense products, and those the
// vector unit does at its peak once a block of sums stays in registers. Short sequences whose scores fit
// L2 gain from the second part only.

struct Tiles {
  explicit Tiles(std::int64_t seq) : keys((seq + kColumns - 1) / kColumns), values(keys.size()) {}
  std::vector<KeyTile> keys;    ///< one head's, transposed: at[d][key]
  std::vector<KeyTile> values;  ///< at[key][d]; both filled up with zeros
  QueryTile queries, scores, sums;
  RowState state;
};
std::shared_ptr<void> prepare_tiles(const Setup& setup) {
  return std::make_shared<Tiles>(setup.params["seq"]);
}

void load_keys_and_values(Tiles& tiles, const float* k, const float* v, std::int64_t seq) {
  for (std::size_t t = 0; t < tiles.keys.size(); ++t) {
    for (int j = 0; j < kColumns; ++j) {
      const std::int64_t key = static_cast<std::int64_t>(t) * kColumns + j;
      for (int d = 0; d < kDim; ++d) {
        tiles.keys[t].at[d * kColumns + j] = key < seq ? k[key * kDim + d] : 0.0f;
        tiles.values[t].at[j * kDim + d] = key < seq ? v[key * kDim + d] : 0.0f;
      }
    }
  }
}
void load_queries(Tiles& tiles, const float* q, std::int64_t first, std::int64_t seq) {
  constexpr float kScale = kScoreScale * 1.44269504f;  // log2(e)
  for (int i = 0; i < kRows * kDim; ++i) {
    tiles.queries.at[i] = first + i / kDim < seq ? q[first * kDim + i] * kScale : 0.0f;
  }
  std::fill_n(tiles.state.max, kRows, -std::numeric_limits<float>::infinity());
  std::fill_n(tiles.state.sum, kRows, 0.0f);
}

// ---- Optimised: a row of tiles at a time --------------------------------------------------------
template <class Kernels>
void tiled(const Call& call) {
  const auto seq = call.params()["seq"];
  const bool causal = call.params()["causal"] != 0;
  auto& tiles = call.plan<Tiles>();
  for (std::int64_t h = 0; h < call.params()["heads"]; ++h) {
    const std::int64_t head = h * seq * kDim;
    load_keys_and_values(tiles, &call.input<float>(kK)[head], &call.input<float>(kV)[head], seq);
    for (std::int64_t first = 0; first < seq; first += kRows) {
      load_queries(tiles, &call.input<float>(kQ)[head], first, seq);
      const std::int64_t keys_seen = visible(first + kRows - 1, seq, causal);
      for (std::int64_t key = 0; key < keys_seen; key += kColumns) {
        Kernels::multiply(tiles.queries.at, tiles.keys[key / kColumns].at, nullptr, tiles.scores.at);
        if (key + kColumns > visible(first, seq, causal)) {  // some row does not see all of this tile
          for (int r = 0; r < kRows; ++r) {
            const auto seen = std::clamp<std::int64_t>(visible(first + r, seq, causal) - key, 0, kColumns);
            std::fill(tiles.scores.at + r * kColumns + seen, tiles.scores.at + (r + 1) * kColumns,
                      -std::numeric_limits<float>::infinity());
          }
        }
        Kernels::soften(tiles.scores.at, tiles.state);
        Kernels::multiply(tiles.scores.at, tiles.values[key / kColumns].at,
                          key > 0 ? tiles.state.keep : nullptr, tiles.sums.at);
      }
      float* o = &call.output<float>(kO)[head + first * kDim];
      for (std::int64_t r = 0; r < std::min<std::int64_t>(kRows, seq - first); ++r) {
        for (int d = 0; d < kDim; ++d) o[r * kDim + d] = tiles.sums.at[r * kDim + d] / tiles.state.sum[r];
      }
    }
  }
}

// ---- Registration -------------------------------------------------------------------------------
std::vector<Variant> variants() {
  std::vector<Variant> ladder = {{.name = "naive",
                                  .run = naive,
                                  .note = "scores, softmax, weighted sum: three passes",
                                  .prepare = prepare_scores},
                                 {.name = "tiled",
                                  .run = CallFunction(tiled<PlainKernels>),
                                  .note = "online softmax over tiles of 48 x 64 scores",
                                  .prepare = prepare_tiles}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(tiled<Avx2Kernels>),
                    .note = "6 x 16 sums in registers, exp2 over 8 lanes",
                    .prepare = prepare_tiles,
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "avx512",
                    .run = CallFunction(tiled<Avx512Kernels>),
                    .note = "6 x 64 sums in registers, exp2 over 16 lanes",
                    .prepare = prepare_tiles,
                    .unavailable = simd::without_avx512});
#endif
  return ladder;
}

const Registration registered{{
    .id = "ch10/flash_attention",
    .title = "Flash attention",
    .idea = "Never hold the score matrix: soften it tile by tile and correct earlier sums.",
    .bound = Bound::compute,
    .tags = {"attention", "simd"},
    .axes = {{.name = "seq", .values = {512, 1024, 2048}, .quick = {512}, .small = 133},
             {.name = "heads", .values = {2}, .small = 2},
             {.name = "causal", .values = {0, 1}, .quick = {0}, .small = 1, .least = 0, .most = 1}},
    .problem = problem,
    .reference = reference,  // tolerance: see flash_attention.h
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::flash_attention
