// SPDX-License-Identifier: Apache-2.0
// Matrix-vector product of 4-bit weights                             chapter 16, inference at scale
//
// The idea:          generating a token reads every weight once, so bytes are time; multiply the 4-bit
//                    weights as they lie instead of making floats of them first.
// What bounds it:    18 bytes for 32 weights. 12288 x 16384 weights are 113 MB: 6.6 ms at the 17 GB/s
//                    one core of a Xeon of 2021 reads. Floats would be 805 MB.
// What to look for:  instructions for each cache line of 114 weights: hundreds in the baseline, a dozen
//                    with VNNI, and from there on the outstanding misses decide, as in ch07/reduction.
// Where it stops:    on an EPYC (Zen 5) whose core reads 45 GB/s at 0.94 of that, by asking for a line once;
//                    asking twice stops at 0.80, with VNNI at 0.7: there the L1 is too small for what rows
//                    read again beside what is under way. On an EPYC whose core reads 32 GB/s VNNI stops
//                    at 0.87 by asking twice, on that Xeon at 0.9, before weights were asked for ahead.
//                    Without AVX-512 some 41 vector instructions for 144 bytes are what limits: such a
//                    core computes 30 GB/s at 2.8 GHz from its L1, a Zen 5 54 from its L2. The listed sizes
//                    are judged by memory: no cache holds them. rows=128 (suite quick) fits into an L2,
//                    and there arithmetic is what takes the time.
#include "workloads/ch16_inference/int4_gemv.h"
#include "workloads/ch16_inference/int4_gemv_arranged.h"
#include "workloads/ch16_inference/int4_gemv_rows.h"
#include "workloads/simd.h"

namespace aisp::int4_gemv {
namespace {

// ---- Baseline: dequantise, then the dot product everybody has ---------------------------------------
constexpr std::int64_t kLanes = 8;  // independent sums: not the lesson here, but that of ch07/reduction

struct Floats {
  std::vector<float> activations;
  std::vector<std::vector<float>> weights;  ///< a row for each thread
};
std::shared_ptr<void> prepare_floats(const Setup& setup) {
  const auto cols = static_cast<std::size_t>(setup.params["blocks"] * kBlock);
  const auto threads = static_cast<std::size_t>(setup.threads);
  return std::make_shared<Floats>(
      Floats{std::vector<float>(cols), std::vector<std::vector<float>>(threads, std::vector<float>(cols))});
}

void dequantise_row(const Layer& s, std::int64_t row, float* w) {
  for (std::int64_t b = 0; b < s.blocks; ++b) {
    const std::uint8_t* half = s.weights + (row * s.blocks + b) * kBlockBytes;
    const float scale = to_float(s.weight_scales[row * s.blocks + b]);
    for (int i = 0; i < 16; ++i) {
      w[b * kBlock + i] = static_cast<float>(half[i] % 16 - 8) * scale;
      w[b * kBlock + i + 16] = static_cast<float>((half[i] >> 4) - 8) * scale;
    }
  }
}

void dequantise(const Call& call) {
  const Layer s = layer_of(call);
  auto& floats = call.plan<Floats>();
  float* x = floats.activations.data();
  for (std::int64_t c = 0; c < s.blocks * kBlock; ++c)
    x[c] = s.activations[c] * s.activation_scales[c / kBlock];
  call.team().run([&](int thread, int threads) {
    float* w = floats.weights[static_cast<std::size_t>(thread)].data();
    for (std::int64_t r = s.rows * thread / threads; r < s.rows * (thread + 1) / threads; ++r) {
      dequantise_row(s, r, w);
      float lanes[kLanes] = {};
      for (std::int64_t c = 0; c < s.blocks * kBlock; c += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += w[c + lane] * x[c + lane];
      }
      float sum = 0;
      for (const float lane : lanes) sum += lane;
      s.y[r] = sum;
    }
  });
}

// ---- The idea ---------------------------------------------------------------------------------------
// Within a block all weights share a scale and all activations share one, so the block is a dot product
// of small whole numbers times one float. Halves stay unsigned, 0 to 15, which is what the byte
// multiplier wants: the sum of (half - 8) x is the sum of half x, less 8 times the sum of x, and that
// correction is the same for every row. Rows that are read together share each load of activations and make
// as many streams, and each asks for its lines ahead of their use: far ahead for the L2, just ahead for the
// L1.

// ---- Optimized 1: whole numbers within a block, no vectors ------------------------------------------
float block_dot(const Layer& s, std::int64_t row, std::int64_t block) {
  const std::uint8_t* half = s.weights + (row * s.blocks + block) * kBlockBytes;
  const std::int8_t* x = s.activations + block * kBlock;
  int dot = 0;
  for (int i = 0; i < 16; ++i) dot += (half[i] % 16 - 8) * x[i] + (half[i] / 16 - 8) * x[i + 16];
  return static_cast<float>(dot) *
         (to_float(s.weight_scales[row * s.blocks + block]) * s.activation_scales[block]);
}
float row_dot(const Layer& s, std::int64_t row, std::int64_t first_block) {
  float sum = 0;
  for (std::int64_t b = first_block; b < s.blocks; ++b) sum += block_dot(s, row, b);
  return sum;
}

void integer(const Call& call) {
  const Layer s = layer_of(call);
  call.team().run([&](int thread, int threads) {
    for (std::int64_t r = s.rows * thread / threads; r < s.rows * (thread + 1) / threads; ++r) {
      s.y[r] = row_dot(s, r, 0);
    }
  });
}

#if defined(__x86_64__)

// ---- Optimized 2: two blocks in a vector of 32 bytes ------------------------------------------------
// Here arithmetic is what takes the time, so what a block needs after its products counts. Eight dot products
// are brought into one vector while they are still 16 bits wide, and only then get their correction, become
// floats and meet their scales: once for eight blocks instead of four times. Two rows at a time, for there
// are 16 registers: on an EPYC four rows are up to 4 % slower, eight a fifth.
constexpr int kPair = 2;
#define AISP_INT4_AVX2 __attribute__((always_inline, target("avx2,fma,f16c"))) inline

/// A load that stays one: GCC would fold it into both of its uses, and loads are scarce, too.
AISP_INT4_AVX2 __m256i load_once(const __m256i* from) {
  __m256i loaded = _mm256_loadu_si256(from);
  asm("" : "+x"(loaded));
  return loaded;
}
/// Of two blocks, eight parts of the dot product each, at most 4 * 15 * 128 in size: two more additions still
/// fit into 16 bits.
AISP_INT4_AVX2 __m256i two_dots(const __m256i* halves, const __m256i* x) {
  const __m256i low_halves = _mm256_set1_epi8(15), both = load_once(halves);
  const __m256i low = _mm256_and_si256(both, low_halves);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), low_halves);
  return _mm256_add_epi16(_mm256_maddubs_epi16(low, _mm256_load_si256(x)),
                          _mm256_maddubs_epi16(high, _mm256_load_si256(x + 1)));
}
/// Of four blocks, two times two neighbouring parts each: those of two vectors side by side, added up.
AISP_INT4_AVX2 __m256i four_dots(const __m256i* halves, const __m256i* x) {
  const __m256i a = two_dots(halves, x), b = two_dots(halves + 1, x + 2);
  return _mm256_add_epi16(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
}
/// Of the eight blocks of a group, in the order 0, 2, 4, 6, 1, 3, 5, 7.
AISP_INT4_AVX2 __m256i eight_dots(__m256i four, __m256i other_four) {
  const __m256i parts =
      _mm256_add_epi16(_mm256_unpacklo_epi64(four, other_four), _mm256_unpackhi_epi64(four, other_four));
  return _mm256_madd_epi16(parts, _mm256_set1_epi16(1));
}
#undef AISP_INT4_AVX2

template <Asks kAsks>
__attribute__((target("avx2,fma,f16c"))) void two_rows_avx2(const Layer& s, Arranged& x, Spread spread) {
  const __m256i even_first = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  const Rows<kPair> rows = rows_at<kPair>(s, spread);
  __m256 sums[kPair] = {};
  for (std::int64_t b = 0; b + kGroup <= s.blocks; b += kGroup) {
    const auto* xs = reinterpret_cast<const __m256i*>(x.activations(b));
    __m256i fours[2][kPair];
#pragma GCC unroll 2
    for (int f = 0; f < 2; ++f) {
#pragma GCC unroll 2
      for (int r = 0; r < kPair; ++r) {
        if (f == 0 && rows.far) prefetch_ahead<kAsks>(rows, r, b);
        const auto* halves = reinterpret_cast<const __m256i*>(rows.weights[r] + b * kBlockBytes);
        fours[f][r] = four_dots(halves + 2 * f, xs + 4 * f);
      }
    }
    const __m256 x_scales = _mm256_loadu_ps(s.activation_scales + b);
    const __m256i correction = _mm256_load_si256(reinterpret_cast<const __m256i*>(x.corrections(b)));
#pragma GCC unroll 2
    for (int r = 0; r < kPair; ++r) {
      const auto* w_scales = reinterpret_cast<const __m128i*>(rows.scales[r] + b);
      const __m256 scales = _mm256_mul_ps(x_scales, _mm256_cvtph_ps(_mm_loadu_si128(w_scales)));
      const __m256i dots = _mm256_add_epi32(eight_dots(fours[0][r], fours[1][r]), correction);
      sums[r] =
          _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots), _mm256_permutevar8x32_ps(scales, even_first), sums[r]);
    }
  }
  for (int r = 0; r < kPair; ++r) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(sums[r]), _mm256_extractf128_ps(sums[r], 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    s.y[spread.row(r)] = _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two))) +
                         row_dot(s, spread.row(r), s.blocks / kGroup * kGroup);
  }
}

// ---- Optimized 3: four blocks in 64 bytes, and one instruction that multiplies bytes and adds in 32 bits
// A group's activations and corrections, six vectors, stay in registers for its eight rows: as many
// accumulators, as many streams.
constexpr int kRows = 8;
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,f16c"))) void eight_rows_vnni(const Layer& s,
                                                                                          Arranged& x,
                                                                                          Spread spread) {
  const __m512i low_halves = _mm512_set1_epi8(15);
  const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
  const __m512i quad_of[2] = {first, _mm512_add_epi32(first, _mm512_set1_epi32(4))};
  const Rows<kRows> rows = rows_at<kRows>(s, spread);
  __m512 sums[kRows] = {};
  for (std::int64_t b = 0; b + kGroup <= s.blocks; b += kGroup) {
    const __m256 x_scales = _mm256_loadu_ps(s.activation_scales + b);
    const std::int8_t* xs = x.activations(b);
    const __m512i x_low[2] = {_mm512_load_si512(xs), _mm512_load_si512(xs + 128)};
    const __m512i x_high[2] = {_mm512_load_si512(xs + 64), _mm512_load_si512(xs + 192)};
    const __m512i correction[2] = {_mm512_load_si512(x.correction_parts(b)),
                                   _mm512_load_si512(x.correction_parts(b + 4))};
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      if (rows.far) prefetch_ahead<Asks::twice>(rows, r, b);
      const auto* w_scales = reinterpret_cast<const __m128i*>(rows.scales[r] + b);
      const __m256 scales = _mm256_mul_ps(x_scales, _mm256_cvtph_ps(_mm_loadu_si128(w_scales)));
#pragma GCC unroll 2
      for (int q = 0; q < 2; ++q) {
        const __m512i both = _mm512_loadu_si512(rows.weights[r] + b * kBlockBytes + 64 * q);
        const __m512i low = _mm512_and_si512(both, low_halves);
        const __m512i high = _mm512_and_si512(_mm512_srli_epi16(both, 4), low_halves);
        __m512i dot = _mm512_dpbusd_epi32(correction[q], low, x_low[q]);
        dot = _mm512_dpbusd_epi32(dot, high, x_high[q]);
        const __m512 scale = _mm512_permutexvar_ps(quad_of[q], _mm512_castps256_ps512(scales));
        sums[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot), scale, sums[r]);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    s.y[spread.row(r)] =
        _mm512_reduce_add_ps(sums[r]) + row_dot(s, spread.row(r), s.blocks / kGroup * kGroup);
  }
}

// ---- Optimized 4: the arithmetic of 2, each line asked for once --------------------------------------
// Where a core has room for many lines on their way into its L1, a line may as well go there at once: asking
// the L2 first takes a second instruction and a second place to wait in. What decides then is whether that
// which every row reads again stays in the L1 beside the lines under way. That is why this is not done to 3:
// its corrections are four times as large, and it loses all that its shorter arithmetic gains. The code is
// Asks::once in int4_gemv_rows.h, and nothing else.

/// Shares the rows between the threads, and each thread's between `Streams`; rows left over go the plain way.
template <int Width, int Streams, void (*rows)(const Layer&, Arranged&, Spread)>
void by_streams(const Call& call) {
  const Layer s = layer_of(call);
  Arranged& x = call.plan<Arranged>();
  arrange<Width>(s, x);
  call.team().run([&](int thread, int threads) {
    const std::int64_t begin = s.rows * thread / threads, end = s.rows * (thread + 1) / threads;
    const std::int64_t apart = (end - begin) / Streams;
    for (std::int64_t i = 0; i < apart; ++i) rows(s, x, {begin + i, apart});
    for (std::int64_t r = begin + Streams * apart; r < end; ++r) s.y[r] = row_dot(s, r, 0);
  });
}

#endif

std::vector<Variant> variants() {
  std::vector<Variant> ladder = {{.name = "dequantise",
                                  .run = dequantise,
                                  .note = "each row to floats, then a dot product of floats",
                                  .prepare = prepare_floats},
                                 {.name = "integer", .run = integer, .note = "whole numbers within a block"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(by_streams<2, kPair, two_rows_avx2<Asks::twice>>),
                    .note = "two rows at a time, two blocks in a vector",
                    .prepare = prepare_arranged,
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "vnni",
                    .run = CallFunction(by_streams<4, kRows, eight_rows_vnni>),
                    .note = "eight rows, four blocks in a vector, byte dot products",
                    .prepare = prepare_arranged,
                    .unavailable = simd::without_vnni});
  ladder.push_back({.name = "asked_once",
                    .run = CallFunction(by_streams<2, kPair, two_rows_avx2<Asks::once>>),
                    .note = "avx2, each line asked for once, straight into the L1",
                    .prepare = prepare_arranged,
                    .unavailable = simd::without_avx2});
#endif
  return ladder;
}

// Tolerance: a float sum over the blocks of a row, each with the rounding of a dot product of 32
// (int4_gemv.h).
const Registration registered{{
    .id = "ch16/int4_gemv",
    .title = "4-bit matrix-vector product",
    .idea =
        "Multiply 4-bit weights as whole numbers in place, so that reading them is all the time there is.",
    .bound = Bound::memory,
    .tags = {"quantisation", "decode", "bandwidth"},
    .axes = {{.name = "rows", .values = {12288, 20480}, .quick = {128}, .small = 37},
             {.name = "blocks", .values = {512}, .small = 13},
             {.name = "threads", .values = {1, 2}, .quick = {2}, .small = 2}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::int4_gemv
