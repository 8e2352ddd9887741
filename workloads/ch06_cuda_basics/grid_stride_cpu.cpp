// SPDX-License-Identifier: Apache-2.0
// Grid stride                                                            chapter 6, CUDA basics
//
// The idea:          as many workers as run at once, each walking through its share of the data: what a
//                    worker sets up is set up once, and may be large.
// What bounds it:    5 bytes a value: a code read, a float written. 16 M values are 84 MB, 2.2 ms at the 37
//                    GB/s that one core of an EPYC copies (`aisp peak`). In plain code it is the lookups: two
//                    loads and a store a value, a cycle or more.
// What to look for:  memory instructions a value: three in the baseline; five for 64 values once the
//                    table is in registers.
// Where it stops:    at n=16777216 memory takes longer than lookups in registers do; at n=131072 all stays in
//                    the L2 and every rung shows.
#include "workloads/ch06_cuda_basics/grid_stride.h"

#include <cstring>

#include "workloads/simd.h"

namespace aisp::grid_stride {
namespace {

// ---- The problem and the reference: grid_stride.h ---------------------------------------------------

// ---- Baseline: a value after the other --------------------------------------------------------------
/// `count` values decoded.
using Decode = void (*)(const std::uint8_t* codes, const float* table, float* y, std::int64_t count);

void decode(const std::uint8_t* codes, const float* table, float* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = table[codes[i]];
}

/// On the calling thread.
template <Decode decode>
void alone(const Call& call) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  decode(codes.data, call.input<float>(kTable).data, call.output<float>(kY).data, codes.size);
}

// ---- The idea ---------------------------------------------------------------------------------------
// A GPU's blocks are as many as fit, and each has the table set up once for all it will decode. The workers
// of a CPU are its threads, and what each can set up is registers. AVX-512 has 32 of 64 bytes: the table of
// 256 floats fills half of them. Cut into four planes, one for each byte of a float, it can be asked for 64
// codes at a time: an instruction picks 64 bytes out of 128, so two of them and a blend are a plane. Four
// planes are woven into floats by unpacking, which works within quarters of a register; codes are put into
// the order that makes up for it, beforehand, by one permutation.
//
// Cutting the table takes as long as decoding a thousand values: once for each thread, not for each tile.
// A thread walks through one run of neighbours, not in strides: its lines are then its own.
//
// Gather instructions, which look made for this, are taken apart into as many loads by the core and gain less
// than eight loads put together by hand, which save seven stores of eight.

#if defined(__x86_64__)

// ---- A detour: gather instructions ------------------------------------------------------------------
__attribute__((target("avx2"))) void decode_gathered(const std::uint8_t* codes, const float* table, float* y,
                                                     std::int64_t count) {
  const std::int64_t whole = count / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) {
    const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
    _mm256_storeu_ps(y + i, _mm256_i32gather_ps(table, _mm256_cvtepu8_epi32(eight), 4));
  }
  decode(codes + whole, table, y + whole, count - whole);
}

// ---- Optimised 1: eight codes a load, eight values a store ------------------------------------------
__attribute__((target("avx2"))) void decode_inserted(const std::uint8_t* codes, const float* t, float* y,
                                                     std::int64_t count) {
  const std::int64_t whole = count / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) {
    std::uint64_t w;
    std::memcpy(&w, codes + i, 8);
    const __m128 low = _mm_setr_ps(t[w & 255], t[w >> 8 & 255], t[w >> 16 & 255], t[w >> 24 & 255]);
    const __m128 high = _mm_setr_ps(t[w >> 32 & 255], t[w >> 40 & 255], t[w >> 48 & 255], t[w >> 56]);
    _mm256_storeu_ps(y + i, _mm256_set_m128(high, low));
  }
  decode(codes + whole, t, y + whole, count - whole);
}

// ---- Optimised 2 and 3: the table in registers; then written past the caches ------------------------
template <bool kPastCaches>
__attribute__((target("avx512f,avx512bw,avx512vbmi"))) void decode_planes(const std::uint8_t* codes,
                                                                          const float* table, float* y,
                                                                          std::int64_t count) {
  alignas(64) std::uint8_t bytes[4][kEntries];
  const auto* of_table = reinterpret_cast<const std::uint8_t*>(table);
  for (int b = 0; b < 4; ++b) {
    for (int e = 0; e < kEntries; ++e) bytes[b][e] = of_table[4 * e + b];
  }
  __m512i plane[4][4];
#pragma GCC unroll 16
  for (int k = 0; k < 16; ++k) plane[k / 4][k % 4] = _mm512_load_si512(&bytes[k / 4][k % 4 * 64]);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);

  const std::int64_t whole = count / 64 * 64;
  for (std::int64_t i = 0; i < whole; i += 64) {
    const __m512i code = _mm512_permutexvar_epi32(order, _mm512_loadu_si512(codes + i));
    const __mmask64 upper = _mm512_movepi8_mask(code);  // 128 and above
    __m512i byte[4];
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) {
      byte[b] = _mm512_mask_blend_epi8(upper, _mm512_permutex2var_epi8(plane[b][0], code, plane[b][1]),
                                       _mm512_permutex2var_epi8(plane[b][2], code, plane[b][3]));
    }
    const __m512i low[2] = {_mm512_unpacklo_epi8(byte[0], byte[1]), _mm512_unpackhi_epi8(byte[0], byte[1])};
    const __m512i high[2] = {_mm512_unpacklo_epi8(byte[2], byte[3]), _mm512_unpackhi_epi8(byte[2], byte[3])};
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
      const __m512i values = q % 2 == 0 ? _mm512_unpacklo_epi16(low[q / 2], high[q / 2])
                                        : _mm512_unpackhi_epi16(low[q / 2], high[q / 2]);
      if constexpr (kPastCaches) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(y + i + 16 * q), values);
      } else {
        _mm512_storeu_si512(y + i + 16 * q, values);
      }
    }
  }
  if constexpr (kPastCaches) _mm_sfence();
  decode(codes + whole, table, y + whole, count - whole);
}

/// Byte permutations of any two registers (VBMI) came with the processors that have VNNI, or after.
bool has_vbmi() { return simd::has_vnni() && __builtin_cpu_supports("avx512vbmi"); }
std::optional<std::string> without_vbmi(const Params& size) {
  if (const auto missing = simd::without_vnni(size)) return missing;
  if (has_vbmi()) return std::nullopt;
  return "this CPU has no AVX-512 VBMI";
}

#endif

/// The fastest there is. Past the caches pays once y no longer fits in the L2 of a core.
Decode fastest([[maybe_unused]] std::int64_t count) {
#if defined(__x86_64__)
  constexpr std::int64_t kSmallest = (std::int64_t{2} << 20) / sizeof(float);
  if (has_vbmi()) return count >= kSmallest ? decode_planes<true> : decode_planes<false>;
  if (simd::has_avx2()) return decode_inserted;
#endif
  return decode;
}

void streamed(const Call& call) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  fastest(codes.size)(codes.data, call.input<float>(kTable).data, call.output<float>(kY).data, codes.size);
}

// ---- Optimised 4: all threads -----------------------------------------------------------------------
/// Pieces of whole lines of y, which stores past the caches need. The last one has the rest.
void team(const Call& call) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  const float* table = call.input<float>(kTable).data;
  float* y = call.output<float>(kY).data;
  const Decode decode_piece = fastest(codes.size);
  call.team().run([&](int thread, int threads) {
    const std::int64_t lines = codes.size / 16;
    const std::int64_t first = lines * thread / threads * 16;
    const std::int64_t end = thread + 1 == threads ? codes.size : lines * (thread + 1) / threads * 16;
    decode_piece(codes.data + first, table, y + first, end - first);
  });
}

// ---- Registration -----------------------------------------------------------------------------------
std::vector<Variant> variants() {
  std::vector<Variant> ladder = {
      {.name = "loop", .run = CallFunction(alone<decode>), .note = "a value after the other"}};
#if defined(__x86_64__)
  ladder.push_back({.name = "gathers",
                    .run = CallFunction(alone<decode_gathered>),
                    .note = "eight lookups an instruction",
                    .rung = Rung::informational,
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "inserts",
                    .run = CallFunction(alone<decode_inserted>),
                    .note = "eight codes a load, eight values a store",
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "registers",
                    .run = CallFunction(alone<decode_planes<false>>),
                    .note = "the table in registers, 64 lookups at a time",
                    .unavailable = without_vbmi});
  ladder.push_back({.name = "streamed",
                    .run = streamed,
                    .note = "written past the caches (y of 2 MB and more)",
                    .unavailable = without_vbmi});
#endif
  ladder.push_back({.name = "team", .run = team, .note = "all threads, each with its table"});
  return ladder;
}

// Tolerance: none. Floats are moved, not computed.
const Registration registered{{
    .id = "ch06/grid_stride",
    .title = "Grid stride",
    .idea = "As many workers as run at once, each walking far: what it sets up is set up once.",
    .bound = Bound::memory,
    .tags = {"occupancy", "quantisation"},
    .axes = {{.name = "n", .values = {1 << 17, 1 << 24}, .quick = {1 << 17}, .small = 34571},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::grid_stride
