// SPDX-License-Identifier: Apache-2.0
// Loop-invariant mathematics                                 chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          compute once what does not change: a power that depends on the column alone, an angle
//                    that all heads share.
// What bounds it:    8 bytes a value. 64 tokens x 16 heads x 128 values are 1 MB, 50 µs from the L2; a
//                    power, a sine and a cosine for each pair take 60 ns, 65,536 of them 4 ms.
// What to look for:  calls of libm: three a pair, two, then two for every 16 heads. Then divisions: an index
//                    that is taken apart with / and % costs two of 20 cycles and more.
#include "workloads/ch08_occupancy_ilp/loop_invariant_math.h"

namespace aisp::loop_invariant_math {
namespace {

// ---- The problem and the reference: loop_invariant_math.h -------------------------------------------
void turn(const float* x, float cosine, float sine, float* y) {
  y[0] = x[0] * cosine - x[1] * sine;
  y[1] = x[0] * sine + x[1] * cosine;
}

// ---- Baseline: the formula for every pair, as it is written in papers -------------------------------
void per_element(const Call& call) {
  const auto heads = call.params()["heads"], pairs = call.params()["pairs"];
  const auto x = call.input<float>(kX);
  const auto positions = call.input<std::int32_t>(kPositions);
  const auto y = call.output<float>(kY);
  for (std::int64_t i = 0; i < x.size / 2; ++i) {
    const std::int64_t token = i / (heads * pairs), pair = i % pairs;
    const float exponent = -static_cast<float>(pair) / static_cast<float>(pairs);
    const float angle = static_cast<float>(positions[token]) * std::pow(static_cast<float>(kBase), exponent);
    turn(&x[2 * i], std::cos(angle), std::sin(angle), &y[2 * i]);
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// The compiler hoists what it can prove to be the same; it does not know that a power of a loop's counter
// comes round again with the next token, nor may it keep a table. The programmer may: the powers depend on
// the shape alone and are computed before the first call. Written as three loops instead of one, the indices
// need no division. And the angle depends on the token and the pair, not on the head: its sine and cosine,
// taken once, serve all heads.

/// Powers, and the cosines and sines of one token.
struct Tables {
  std::vector<float> frequency, cosine, sine;
};
std::shared_ptr<void> prepare_tables(const Setup& setup) {
  const auto pairs = static_cast<std::size_t>(setup.params["pairs"]);
  return std::make_shared<Tables>(
      Tables{frequencies(setup.params["pairs"]), std::vector<float>(pairs), std::vector<float>(pairs)});
}

// ---- Optimised 1: powers from a table, loops instead of divisions -----------------------------------
void table(const Call& call) {
  const auto heads = call.params()["heads"], pairs = call.params()["pairs"];
  const auto positions = call.input<std::int32_t>(kPositions);
  const float *x = call.input<float>(kX).data, *frequency = call.plan<Tables>().frequency.data();
  float* y = call.output<float>(kY).data;
  for (const std::int32_t position : positions) {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = 0; i < pairs; ++i, x += 2, y += 2) {
        const float angle = static_cast<float>(position) * frequency[i];
        turn(x, std::cos(angle), std::sin(angle), y);
      }
    }
  }
}

// ---- Optimised 2: one sine and cosine for all heads -------------------------------------------------
void reused(const Call& call) {
  const auto heads = call.params()["heads"], pairs = call.params()["pairs"];
  const auto positions = call.input<std::int32_t>(kPositions);
  auto& tables = call.plan<Tables>();
  const float* x = call.input<float>(kX).data;
  float* y = call.output<float>(kY).data;
  float *cosine = tables.cosine.data(), *sine = tables.sine.data();
  for (const std::int32_t position : positions) {
    for (std::int64_t i = 0; i < pairs; ++i) {
      const float angle = static_cast<float>(position) * tables.frequency[static_cast<std::size_t>(i)];
      cosine[i] = std::cos(angle);
      sine[i] = std::sin(angle);
    }
    for (std::int64_t h = 0; h < heads; ++h, x += 2 * pairs, y += 2 * pairs) {
      for (std::int64_t i = 0; i < pairs; ++i) turn(x + 2 * i, cosine[i], sine[i], y + 2 * i);
    }
  }
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: how far an angle in single precision is off, by the angle (loop_invariant_math.h).
const Registration registered{{
    .id = "ch08/loop_invariant_math",
    .title = "Loop-invariant mathematics",
    .idea = "Compute once what does not change: powers with the shape, sines once for all heads.",
    .bound = Bound::compute,
    .tags = {"strength reduction", "tables", "position embedding"},
    .axes = {{.name = "tokens", .values = {64}, .small = 5},
             {.name = "heads", .values = {16}, .small = 3},
             {.name = "pairs", .values = {32, 64}, .quick = {64}, .small = 19, .least = 8}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "per_element", .run = per_element, .note = "power, sine and cosine for every pair"},
                 {.name = "table",
                  .run = table,
                  .note = "powers from a table, no divisions",
                  .prepare = prepare_tables},
                 {.name = "reused",
                  .run = reused,
                  .note = "one sine and cosine for all heads",
                  .prepare = prepare_tables}},
}};

}  // namespace
}  // namespace aisp::loop_invariant_math
