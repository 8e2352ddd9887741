// SPDX-License-Identifier: Apache-2.0
// Softmax                                                        chapter 9, arithmetic intensity
//
// The idea:          exp() is the work: a polynomial over a vector of lanes replaces a library call a value.
// What bounds it:    8 bytes and one exp a value. 256 x 4096 is 1 M exps: at about 5 ns a call of
//                    libm's expf they take 5 ms, the 8.4 MB 0.4 ms through the caches: it is the exp.
// What to look for:  instructions retired: some 40 a value in the baseline, about 1.5 with 16 lanes.
//                    Out of cache the vector rung meets the memory and the ladder flattens.
#include "workloads/ch09_arithmetic_intensity/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aisp/core/combinations.h"
#include "workloads/simd.h"

namespace aisp::softmax {
namespace {

// ---- The problem and the reference: softmax.h -------------------------------------------------------

// ---- Baseline: three passes and the library's exp, as in every textbook -----------------------------
void three_pass(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  for (std::int64_t row = 0; row < x.size; row += cols) {
    const float* in = &x[row];
    float* out = &call.output<float>(kY)[row];
    float max = in[0];
    for (std::int64_t c = 1; c < cols; ++c) max = std::max(max, in[c]);
    float sum = 0;
    for (std::int64_t c = 0; c < cols; ++c) sum += out[c] = std::exp(in[c] - max);
    for (std::int64_t c = 0; c < cols; ++c) out[c] /= sum;
  }
}

// ---- A detour: the online form reads the row once less and calls exp once more ----------------------
// It wins on a GPU, where a pass over a long row goes to memory. Here the row is in L1 and exp is the cost.
void online(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  for (std::int64_t row = 0; row < x.size; row += cols) {
    const float* in = &x[row];
    float* out = &call.output<float>(kY)[row];
    float max = in[0], sum = 1;
    for (std::int64_t c = 1; c < cols; ++c) {
      if (in[c] > max) {  // everything summed so far was relative to the old maximum
        sum *= std::exp(max - in[c]);
        max = in[c];
      }
      sum += std::exp(in[c] - max);
    }
    for (std::int64_t c = 0; c < cols; ++c) out[c] = std::exp(in[c] - max) / sum;
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// exp(x) = 2^t with t = x log2(e). Split t into a whole number n and a fraction f in [-1/2, 1/2]: 2^n
// is built in the exponent bits and 2^f is a polynomial of degree 5, whose relative error of 7.5e-8 is
// that of one rounding. A dozen instructions give 8 or 16 results and none of them branches. log2(e) is
// kept in two floats, because a rounded constant times x would cost up to |x| units of error. The
// passes stay; a row of 4096 floats and its result fit in L1, and only the sum needs several
// accumulators so that additions do not wait for each other.

#if defined(__x86_64__)

constexpr float kLog2e = 0x1.715476p+0f, kLog2eLow = 0x1.4ae0bep-26f;
// Smaller results would be subnormal, and each of those costs a microcode assist of some 150 cycles.
constexpr float kLowest = -87.33f;
// Minimax in relative error for 2^f on [-1/2, 1/2].
constexpr float kC0 = 1.00000007f, kC1 = 0.693146967f, kC2 = 0.240221197f, kC3 = 0.0555071327f,
                kC4 = 0.00967554133f, kC5 = 0.0013276472f;

// ---- Optimised: eight lanes -------------------------------------------------------------------------
/// exp of values <= 0; results below the smallest normal float become 0.
__attribute__((target("avx2,fma"))) inline __m256 exp8(__m256 x) {
  const __m256 lowest = _mm256_set1_ps(kLowest);
  const __m256 kept = _mm256_cmp_ps(x, lowest, _CMP_GE_OQ);
  x = _mm256_max_ps(x, lowest);
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(kLog2e)), _MM_FROUND_TO_NEAREST_INT | 8);
  __m256 f = _mm256_fmsub_ps(x, _mm256_set1_ps(kLog2e), n);
  f = _mm256_fmadd_ps(x, _mm256_set1_ps(kLog2eLow), f);
  __m256 p = _mm256_fmadd_ps(_mm256_set1_ps(kC5), f, _mm256_set1_ps(kC4));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(kC3));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(kC2));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(kC1));
  p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(kC0));
  const __m256i power = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);  // added to the exponent field: p * 2^n
  return _mm256_and_ps(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), power)), kept);
}

__attribute__((target("avx2,fma"))) void softmax_row8(const float* in, float* out, std::int64_t cols) {
  const std::int64_t whole = cols / 16 * 16;  // the rest of the row goes the scalar way
  const __m256 none = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  __m256 max0 = none, max1 = none;
  for (std::int64_t c = 0; c < whole; c += 16) {
    max0 = _mm256_max_ps(max0, _mm256_loadu_ps(in + c));
    max1 = _mm256_max_ps(max1, _mm256_loadu_ps(in + c + 8));
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, _mm256_max_ps(max0, max1));
  float max = *std::max_element(lanes, lanes + 8);
  for (std::int64_t c = whole; c < cols; ++c) max = std::max(max, in[c]);

  const __m256 maxima = _mm256_set1_ps(max);
  __m256 sum0 = _mm256_setzero_ps(), sum1 = sum0;
  for (std::int64_t c = 0; c < whole; c += 16) {
    _mm_prefetch(in + cols + c, _MM_HINT_T0);  // the next row, while the arithmetic keeps the ports busy
    const __m256 y0 = exp8(_mm256_sub_ps(_mm256_loadu_ps(in + c), maxima));
    const __m256 y1 = exp8(_mm256_sub_ps(_mm256_loadu_ps(in + c + 8), maxima));
    sum0 = _mm256_add_ps(sum0, y0);
    sum1 = _mm256_add_ps(sum1, y1);
    _mm256_storeu_ps(out + c, y0);
    _mm256_storeu_ps(out + c + 8, y1);
  }
  _mm256_store_ps(lanes, _mm256_add_ps(sum0, sum1));
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (std::int64_t c = whole; c < cols; ++c) sum += out[c] = std::exp(in[c] - max);
  for (std::int64_t c = 0; c < cols; ++c) out[c] *= 1 / sum;
}

// ---- The same with sixteen lanes: masks for the tail, and scalef for the power of two ---------------
__attribute__((target("avx512f"))) inline __m512 exp16(__m512 x) {
  const __mmask16 kept = _mm512_cmp_ps_mask(x, _mm512_set1_ps(kLowest), _CMP_GE_OQ);
  x = _mm512_max_ps(x, _mm512_set1_ps(kLowest));
  const __m512 n =
      _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(kLog2e)), _MM_FROUND_TO_NEAREST_INT | 8);
  __m512 f = _mm512_fmsub_ps(x, _mm512_set1_ps(kLog2e), n);
  f = _mm512_fmadd_ps(x, _mm512_set1_ps(kLog2eLow), f);
  __m512 p = _mm512_fmadd_ps(_mm512_set1_ps(kC5), f, _mm512_set1_ps(kC4));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(kC3));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(kC2));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(kC1));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(kC0));
  return _mm512_maskz_scalef_ps(kept, p, n);
}

__attribute__((target("avx512f"))) void softmax_row16(const float* in, float* out, std::int64_t cols) {
  const __m512 none = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  const std::int64_t whole = cols / 32 * 32;
  const std::uint32_t rest = (std::uint32_t{1} << (cols - whole)) - 1;  // one bit for each value of the tail
  const auto mask0 = static_cast<__mmask16>(rest), mask1 = static_cast<__mmask16>(rest >> 16);
  const __m512 in0 = _mm512_mask_loadu_ps(none, mask0, in + whole);
  const __m512 in1 = _mm512_mask_loadu_ps(none, mask1, in + whole + 16);
  __m512 max0 = in0, max1 = in1;
  for (std::int64_t c = 0; c < whole; c += 32) {
    max0 = _mm512_max_ps(max0, _mm512_loadu_ps(in + c));
    max1 = _mm512_max_ps(max1, _mm512_loadu_ps(in + c + 16));
  }
  const __m512 max = _mm512_set1_ps(_mm512_reduce_max_ps(_mm512_max_ps(max0, max1)));

  const __m512 tail0 = exp16(_mm512_sub_ps(in0, max)), tail1 = exp16(_mm512_sub_ps(in1, max));
  __m512 sum0 = tail0, sum1 = tail1;
  for (std::int64_t c = 0; c < whole; c += 32) {
    _mm_prefetch(in + cols + c, _MM_HINT_T0);  // the next row, while the arithmetic keeps the ports busy
    _mm_prefetch(in + cols + c + 16, _MM_HINT_T0);
    const __m512 y0 = exp16(_mm512_sub_ps(_mm512_loadu_ps(in + c), max));
    const __m512 y1 = exp16(_mm512_sub_ps(_mm512_loadu_ps(in + c + 16), max));
    sum0 = _mm512_add_ps(sum0, y0);
    sum1 = _mm512_add_ps(sum1, y1);
    _mm512_storeu_ps(out + c, y0);
    _mm512_storeu_ps(out + c + 16, y1);
  }
  const __m512 scale = _mm512_set1_ps(1 / _mm512_reduce_add_ps(_mm512_add_ps(sum0, sum1)));
  for (std::int64_t c = 0; c < whole; c += 16) {
    _mm512_storeu_ps(out + c, _mm512_mul_ps(_mm512_loadu_ps(out + c), scale));
  }
  _mm512_mask_storeu_ps(out + whole, mask0, _mm512_mul_ps(tail0, scale));
  _mm512_mask_storeu_ps(out + whole + 16, mask1, _mm512_mul_ps(tail1, scale));
}

template <void (*softmax_row)(const float*, float*, std::int64_t)>
void by_rows(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto x = call.input<float>(kX);
  const auto y = call.output<float>(kY);
  for (std::int64_t row = 0; row < x.size; row += cols) softmax_row(&x[row], &y[row], cols);
}

// ---- Three techniques as switches: what does each of them do without the others? --------------------
// Vectors: exp over eight lanes. Online: maximum and sum in one pass, for one exp more a value, dear
// while it is a call. Reciprocal: one division a row, which matters where the exp no longer hides it.
enum : unsigned { kVectors = 1, kOnline = 2, kReciprocal = 4 };

/// The last pass, over the values from `first` on.
template <unsigned kOn>
void scale_row(const float* in, float* out, std::int64_t first, std::int64_t cols, float max, float sum) {
  const float inverse = 1 / sum;
  for (std::int64_t c = first; c < cols; ++c) {
    const float value = (kOn & kOnline) != 0 ? std::exp(in[c] - max) : out[c];
    out[c] = (kOn & kReciprocal) != 0 ? value * inverse : value / sum;
  }
}

template <unsigned kOn>
void switched_row1(const float* in, float* out, std::int64_t cols) {
  float max = in[0], sum = 0;
  if constexpr ((kOn & kOnline) != 0) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const float larger = std::max(max, in[c]);
      if (larger > max) sum *= std::exp(max - larger);
      sum += std::exp(in[c] - larger);
      max = larger;
    }
  } else {
    for (std::int64_t c = 1; c < cols; ++c) max = std::max(max, in[c]);
    for (std::int64_t c = 0; c < cols; ++c) sum += out[c] = std::exp(in[c] - max);
  }
  scale_row<kOn>(in, out, 0, cols, max, sum);
}

template <unsigned kOn>
__attribute__((target("avx2,fma"))) void switched_row8(const float* in, float* out, std::int64_t cols) {
  constexpr bool kOnePass = (kOn & kOnline) != 0;
  const std::int64_t whole = cols / 8 * 8;
  __m256 maxima = _mm256_set1_ps(in[0]), sums = _mm256_setzero_ps();  // never -inf: no NaN comes of it
  for (std::int64_t c = 0; c < whole; c += 8) {
    const __m256 value = _mm256_loadu_ps(in + c), larger = _mm256_max_ps(maxima, value);
    if constexpr (kOnePass) {
      // Lanes whose maximum stays keep their sum as it is: this exp of 0 is not exactly 1.
      const __m256 grown = _mm256_cmp_ps(larger, maxima, _CMP_GT_OQ);
      if (_mm256_movemask_ps(grown) != 0) {
        const __m256 shrunk = _mm256_mul_ps(sums, exp8(_mm256_sub_ps(maxima, larger)));
        sums = _mm256_blendv_ps(sums, shrunk, grown);
      }
      sums = _mm256_add_ps(sums, exp8(_mm256_sub_ps(value, larger)));
    }
    maxima = larger;
  }
  alignas(32) float lane_max[8], lane_sum[8];
  _mm256_store_ps(lane_max, maxima);
  float max = *std::max_element(lane_max, lane_max + 8);
  for (std::int64_t c = whole; c < cols; ++c) max = std::max(max, in[c]);
  const __m256 top = _mm256_set1_ps(max);
  if constexpr (kOnePass) sums = _mm256_mul_ps(sums, exp8(_mm256_sub_ps(maxima, top)));
  for (std::int64_t c = 0; c < whole && !kOnePass; c += 8) {
    const __m256 value = exp8(_mm256_sub_ps(_mm256_loadu_ps(in + c), top));
    sums = _mm256_add_ps(sums, value);
    _mm256_storeu_ps(out + c, value);
  }
  _mm256_store_ps(lane_sum, sums);
  float sum = 0;
  for (const float lane : lane_sum) sum += lane;
  for (std::int64_t c = whole; c < cols; ++c) sum += out[c] = std::exp(in[c] - max);
  const __m256 divisor = _mm256_set1_ps((kOn & kReciprocal) != 0 ? 1 / sum : sum);
  for (std::int64_t c = 0; c < whole; c += 8) {
    const __m256 value =
        kOnePass ? exp8(_mm256_sub_ps(_mm256_loadu_ps(in + c), top)) : _mm256_loadu_ps(out + c);
    _mm256_storeu_ps(
        out + c, (kOn & kReciprocal) != 0 ? _mm256_mul_ps(value, divisor) : _mm256_div_ps(value, divisor));
  }
  scale_row<kOn>(in, out, whole, cols, max, sum);
}

template <unsigned kOn>
constexpr auto kSwitchedRow = (kOn & kVectors) != 0 ? switched_row8<kOn> : switched_row1<kOn>;

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "three_pass", .run = three_pass, .note = "maximum, exp and sum, division; libm's expf"},
      {.name = "online", .run = online, .note = "one read less, one exp more", .rung = Rung::informational}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(by_rows<softmax_row8>),
                    .note = "polynomial exp, 8 lanes",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "avx512",
                    .run = CallFunction(by_rows<softmax_row16>),
                    .note = "polynomial exp, 16 lanes",
                    .unavailable = simd::without_avx512});
  add_combinations(ladder,
                   {{"vectors", "polynomial exp, 8 lanes", simd::without_avx2},
                    {"online", "maximum and sum in one pass"},
                    {"reciprocal", "one division a row"}},
                   [](auto on) { return CallFunction(by_rows<kSwitchedRow<on>>); });
#endif
  return ladder;
}

// ---- Registration -----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch09/softmax",
    .title = "Softmax",
    .idea = "Evaluate exp as a polynomial over a whole vector instead of calling the library once per value.",
    .bound = Bound::compute,
    .tags = {"vectorisation", "attention"},
    .axes = {{.name = "rows", .values = {64, 256}, .quick = {64}, .small = 5},
             {.name = "cols", .values = {1024, 4096}, .quick = {1024}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::softmax
