// SPDX-License-Identifier: Apache-2.0
// Fused residual, norm and quantisation                          chapter 9, arithmetic intensity
//
// The idea:          do everything a row needs while the row is in the cache, instead of sending the
//                    whole tensor through memory once for each operation.
// What bounds it:    13 bytes a value: two floats read, one float and one byte written. Four
//                    operations, each over the whole tensor, move 37. 2048 x 4096 values are 109 MB: 9
//                    ms at the 12 GB/s one core of a Xeon of 2021 moves, against 310 MB and 26 ms.
// What to look for:  bytes from memory. When the tensor fits in the cache (64 rows) fusing alone gains
//                    little, and what the vector rung gains is arithmetic.
#include "workloads/ch09_arithmetic_intensity/fused_norm_quant.h"

#include "workloads/simd.h"

namespace aisp::fused_norm_quant {
namespace {

// ---- The problem and the reference: fused_norm_quant.h ----------------------------------------------
// Eight running values break the chains of the two reductions (ch08/ilp); the compiler may not do that by
// itself.
constexpr int kLanes = 8;

float sum_of_squares(const float* h, std::int64_t cols) {
  float sums[kLanes] = {}, sum = 0;
  std::int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    for (int k = 0; k < kLanes; ++k) sums[k] += h[c + k] * h[c + k];
  }
  for (; c < cols; ++c) sum += h[c] * h[c];
  for (const float lane : sums) sum += lane;
  return sum;
}

float largest_of(const float* n, std::int64_t cols) {
  float tops[kLanes] = {};
  std::int64_t c = 0;
  for (; c + kLanes <= cols; c += kLanes) {
    for (int k = 0; k < kLanes; ++k) tops[k] = std::max(tops[k], std::fabs(n[c + k]));
  }
  for (; c < cols; ++c) tops[0] = std::max(tops[0], std::fabs(n[c]));
  return *std::max_element(tops, tops + kLanes);
}

float inverse_root(float squares, std::int64_t cols) {
  return 1 / std::sqrt(squares / static_cast<float>(cols) + static_cast<float>(kEpsilon));
}

/// Rounds halves away from zero, in instructions every x86-64 has for a whole vector.
std::int8_t rounded(float value) { return static_cast<std::int8_t>(value + std::copysign(0.5f, value)); }

// ---- Baseline: one operation after the other, as a graph of layers runs them ------------------------
std::shared_ptr<void> prepare_normalised(const Setup& setup) {
  const auto size = static_cast<std::size_t>(setup.params["rows"] * setup.params["cols"]);
  return std::make_shared<std::vector<float>>(size);
}

void separate(const Call& call) {
  const auto rows = call.params()["rows"], cols = call.params()["cols"];
  const auto x = call.input<float>(kX), residual = call.input<float>(kResidual),
             gain = call.input<float>(kGain);
  const auto hidden = call.output<float>(kHidden), scales = call.output<float>(kScales);
  const auto quantised = call.output<std::int8_t>(kQuantised);
  float* normalised = call.plan<std::vector<float>>().data();

  for (std::int64_t i = 0; i < x.size; ++i) hidden[i] = x[i] + residual[i];
  for (std::int64_t r = 0; r < rows; ++r) {
    const float inverse = inverse_root(sum_of_squares(&hidden[r * cols], cols), cols);
    for (std::int64_t c = 0; c < cols; ++c) {
      normalised[r * cols + c] = hidden[r * cols + c] * inverse * gain[c];
    }
  }
  for (std::int64_t r = 0; r < rows; ++r) scales[r] = largest_of(normalised + r * cols, cols) / 127;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      quantised[r * cols + c] = rounded(normalised[r * cols + c] * (1 / scales[r]));
    }
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// Nothing here looks beyond its own row, and a row of 4096 floats is 16 KB. So finish one row before
// starting the next: x and residual are read once, the sum, the norm and the maximum find the row in
// L1, and the normalised values never see memory. Then a little algebra: the norm multiplies the whole
// row by one number, and quantising divides it by another that contains it, so it cancels. Only the
// scale needs the norm, the maximum can be taken of |gain * h| in the same sweep as the squares, and
// two sweeps remain.

// ---- Optimised 1: row by row, in plain code ---------------------------------------------------------
void fused(const Call& call) {
  const auto rows = call.params()["rows"], cols = call.params()["cols"];
  const auto x = call.input<float>(kX), residual = call.input<float>(kResidual),
             gain = call.input<float>(kGain);
  const auto scales = call.output<float>(kScales);
  for (std::int64_t r = 0; r < rows; ++r) {
    float* hidden = &call.output<float>(kHidden)[r * cols];
    std::int8_t* quantised = &call.output<std::int8_t>(kQuantised)[r * cols];
    float sums[kLanes] = {}, tops[kLanes] = {};
    std::int64_t c = 0;
    const auto sweep = [&](int lane) {
      const float h = x[r * cols + c + lane] + residual[r * cols + c + lane];
      hidden[c + lane] = h;
      sums[lane] += h * h;
      tops[lane] = std::max(tops[lane], std::fabs(h * gain[c + lane]));
    };
    for (; c + kLanes <= cols; c += kLanes) {
      for (int k = 0; k < kLanes; ++k) sweep(k);
    }
    for (; c < cols; ++c) sweep(0);
    float squares = 0;
    for (const float lane : sums) squares += lane;
    const float largest = *std::max_element(tops, tops + kLanes);
    scales[r] = largest * inverse_root(squares, cols) / 127;
    for (c = 0; c < cols; ++c) quantised[c] = rounded(hidden[c] * gain[c] * (127 / largest));
  }
}

#if defined(__x86_64__)

// ---- Optimised 2: the same with eight lanes, and the next row on its way ----------------------------
struct RowSums {
  float squares, largest;
};
__attribute__((target("avx2,fma"))) RowSums sweep_row(const float* x, const float* residual,
                                                      const float* gain, float* hidden, std::int64_t cols) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  __m256 sums[4] = {}, tops[4] = {};
  std::int64_t c = 0;
  for (; c + 32 <= cols; c += 32) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const std::int64_t i = c + 8 * k;
      if (k % 2 == 0) {  // one line each
        _mm_prefetch(x + cols + i, _MM_HINT_T0);
        _mm_prefetch(residual + cols + i, _MM_HINT_T0);
      }
      const __m256 h = _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(residual + i));
      _mm256_storeu_ps(hidden + i, h);
      sums[k] = _mm256_fmadd_ps(h, h, sums[k]);
      tops[k] = _mm256_max_ps(tops[k], _mm256_andnot_ps(sign, _mm256_mul_ps(h, _mm256_loadu_ps(gain + i))));
    }
  }
  alignas(32) float lanes[2][8];
  _mm256_store_ps(lanes[0], _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  _mm256_store_ps(lanes[1], _mm256_max_ps(_mm256_max_ps(tops[0], tops[1]), _mm256_max_ps(tops[2], tops[3])));
  RowSums row = {0, *std::max_element(lanes[1], lanes[1] + 8)};
  for (const float lane : lanes[0]) row.squares += lane;
  for (; c < cols; ++c) {
    hidden[c] = x[c] + residual[c];
    row.squares += hidden[c] * hidden[c];
    row.largest = std::max(row.largest, std::fabs(hidden[c] * gain[c]));
  }
  return row;
}

__attribute__((target("avx2,fma"))) void quantise_row(const float* hidden, const float* gain, float factor,
                                                      std::int8_t* quantised, std::int64_t cols) {
  const __m256 factors = _mm256_set1_ps(factor);
  std::int64_t c = 0;
  for (; c + 32 <= cols; c += 32) {
    __m256i whole[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const std::int64_t i = c + 8 * k;
      const __m256 n = _mm256_mul_ps(_mm256_loadu_ps(hidden + i), _mm256_loadu_ps(gain + i));
      whole[k] = _mm256_cvtps_epi32(_mm256_mul_ps(n, factors));
    }
    // Packing works within halves of the register; the last step puts the groups of four back in order.
    const __m256i packed =
        _mm256_packs_epi16(_mm256_packs_epi32(whole[0], whole[1]), _mm256_packs_epi32(whole[2], whole[3]));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(quantised + c),
                        _mm256_permutevar8x32_epi32(packed, order));
  }
  for (; c < cols; ++c) quantised[c] = rounded(hidden[c] * gain[c] * factor);
}

void fused_avx2(const Call& call) {
  const auto rows = call.params()["rows"], cols = call.params()["cols"];
  const auto x = call.input<float>(kX), residual = call.input<float>(kResidual),
             gain = call.input<float>(kGain);
  const auto hidden = call.output<float>(kHidden), scales = call.output<float>(kScales);
  const auto quantised = call.output<std::int8_t>(kQuantised);
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t at = r * cols;
    const RowSums row = sweep_row(&x[at], &residual[at], gain.data, &hidden[at], cols);
    scales[r] = row.largest * inverse_root(row.squares, cols) / 127;
    quantise_row(&hidden[at], gain.data, 127 / row.largest, &quantised[at], cols);
  }
}

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {{.name = "separate",
                                  .run = separate,
                                  .note = "four operations over the whole tensor",
                                  .prepare = prepare_normalised},
                                 {.name = "fused", .run = fused, .note = "row by row, two sweeps"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "fused_avx2",
                    .run = fused_avx2,
                    .note = "eight lanes, next row prefetched",
                    .unavailable = simd::without_avx2});
#endif
  return ladder;
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerances: one addition; a whole number with the slack of its roundings; a root of a sum
// (fused_norm_quant.h).
const Registration registered{{
    .id = "ch09/fused_norm_quant",
    .title = "Fused residual, norm and quantisation",
    .idea = "Finish each row while it is in the cache instead of sweeping the tensor once per operation.",
    .bound = Bound::memory,
    .tags = {"fusion", "quantisation", "bandwidth"},
    .axes = {{.name = "rows", .values = {64, 2048}, .quick = {64}, .small = 5},
             {.name = "cols", .values = {4096}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::fused_norm_quant
