// SPDX-License-Identifier: Apache-2.0
#include "workloads/ch09_arithmetic_intensity/sgemm_kernels.h"

#include <algorithm>
#include <cstring>

#include "workloads/simd.h"

namespace aisp::sgemm {
namespace {

template <int kRows>
void pack_a_column(const float* a, std::int64_t lda, std::int64_t height, float* packed) {
  for (int r = 0; r < kRows; ++r) packed[r] = r < height ? a[r * lda] : 0.0f;
}

#if defined(__x86_64__)
/// Six rows, four steps of depth at a time, in whole vectors instead of one number a store. Returns how many
/// steps it did.
std::int64_t pack_six_rows(const float* a, std::int64_t lda, std::int64_t depth, float* packed) {
  std::int64_t p = 0;
  for (; p + 4 <= depth; p += 4, packed += 24) {
    __m128 row[6];
    for (int r = 0; r < 6; ++r) row[r] = _mm_loadu_ps(a + r * lda + p);
    // Pairs of rows: two columns in each.
    const __m128 low[3] = {_mm_unpacklo_ps(row[0], row[1]), _mm_unpacklo_ps(row[2], row[3]),
                           _mm_unpacklo_ps(row[4], row[5])};
    const __m128 high[3] = {_mm_unpackhi_ps(row[0], row[1]), _mm_unpackhi_ps(row[2], row[3]),
                            _mm_unpackhi_ps(row[4], row[5])};
    float* to = packed;
    for (const __m128* pair : {low, high}) {
      _mm_storeu_ps(to, _mm_movelh_ps(pair[0], pair[1]));
      _mm_storeu_ps(to + 4, _mm_shuffle_ps(pair[2], pair[0], _MM_SHUFFLE(3, 2, 1, 0)));
      _mm_storeu_ps(to + 8, _mm_movehl_ps(pair[2], pair[1]));
      to += 12;
    }
  }
  return p;
}
#endif

template <int kRows>
void pack_a(const float* a, std::int64_t lda, std::int64_t rows, std::int64_t depth, float* packed) {
  for (std::int64_t i = 0; i < rows; i += kRows, a += kRows * lda) {
    const std::int64_t height = std::min<std::int64_t>(kRows, rows - i);
    std::int64_t p = 0;
#if defined(__x86_64__)
    if (kRows == 6 && height == 6) p = pack_six_rows(a, lda, depth, packed);
    packed += p * kRows;
#endif
    for (; p < depth; ++p, packed += kRows) pack_a_column<kRows>(a + p, lda, height, packed);
  }
}

template <int kColumns>
void pack_b(const float* b, std::int64_t ldb, std::int64_t depth, std::int64_t columns, float* packed) {
  for (std::int64_t j = 0; j < columns; j += kColumns, b += kColumns) {
    const auto width = static_cast<std::size_t>(std::min<std::int64_t>(kColumns, columns - j));
    for (std::int64_t p = 0; p < depth; ++p, packed += kColumns) {
      if (width == kColumns) {
        std::memcpy(packed, b + p * ldb, kColumns * sizeof(float));  // a constant size: moves, not a call
      } else {
        std::memset(packed, 0, kColumns * sizeof(float));
        std::memcpy(packed, b + p * ldb, width * sizeof(float));
      }
    }
  }
}

// The same algorithm for a compiler to vectorise with what every CPU has.
template <int kRows, int kColumns>
void portable_tile(std::int64_t depth, const float* a, const float* b, float* c, std::int64_t ldc,
                   bool accumulate, const float* /*ahead*/) {
  float sum[kRows][kColumns] = {};
  for (std::int64_t p = 0; p < depth; ++p, a += kRows, b += kColumns) {
    for (int r = 0; r < kRows; ++r) {
      for (int j = 0; j < kColumns; ++j) sum[r][j] += a[r] * b[j];
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int j = 0; j < kColumns; ++j) c[r * ldc + j] = accumulate ? c[r * ldc + j] + sum[r][j] : sum[r][j];
  }
}
bool always() { return true; }

#if defined(__x86_64__)
// An array of vectors stays in registers under GCC 12 only if every loop over it is unrolled completely: look
// for
// (%rsp) inside the loop over `depth` before changing anything below.
//
// Per step of depth: four loads of B, six broadcasts of A, 24 multiply-adds. Six rows of four vectors and not
// fourteen of two (the other shape that fits 32 registers), because rows of C are `ldc` apart: with ldc a
// power of two they fall into one set of the L1, and fourteen lines there evict one another.
__attribute__((target("avx512f"))) void avx512_tile(std::int64_t depth, const float* a, const float* b,
                                                    float* c, std::int64_t ldc, bool accumulate,
                                                    const float* ahead) {
  constexpr int kRows = 6, kVectors = 4, kWidth = 16;
  __m512 sum[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      sum[r][v] = _mm512_setzero_ps();
      _mm_prefetch(reinterpret_cast<const char*>(c + r * ldc + v * kWidth), _MM_HINT_T1);
    }
  }
#pragma GCC unroll 4
  for (std::int64_t p = 0; p < depth; ++p, a += kRows, b += kVectors * kWidth) {
    // One line every four steps: the next sliver of B travels from the L3 to the L2 while this one is used.
    _mm_prefetch(reinterpret_cast<const char*>(ahead + 4 * p), _MM_HINT_T1);
    __m512 column[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) column[v] = _mm512_load_ps(b + v * kWidth);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512 row = _mm512_set1_ps(a[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm512_fmadd_ps(row, column[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      float* at = c + r * ldc + v * kWidth;
      _mm512_storeu_ps(at, accumulate ? _mm512_add_ps(sum[r][v], _mm512_loadu_ps(at)) : sum[r][v]);
    }
  }
}

// The same with 16 registers of half the width: 12 sums, 2 vectors of B, 1 broadcast of A.
__attribute__((target("avx2,fma"))) void avx2_tile(std::int64_t depth, const float* a, const float* b,
                                                   float* c, std::int64_t ldc, bool accumulate,
                                                   const float* ahead) {
  constexpr int kRows = 6, kVectors = 2, kWidth = 8;
  __m256 sum[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm256_setzero_ps();
    _mm_prefetch(reinterpret_cast<const char*>(c + r * ldc), _MM_HINT_T0);
  }
#pragma GCC unroll 4
  for (std::int64_t p = 0; p < depth; ++p, a += kRows, b += kVectors * kWidth) {
    _mm_prefetch(reinterpret_cast<const char*>(ahead + 4 * p), _MM_HINT_T1);
    __m256 column[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) column[v] = _mm256_load_ps(b + v * kWidth);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m256 row = _mm256_set1_ps(a[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm256_fmadd_ps(row, column[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      float* at = c + r * ldc + v * kWidth;
      _mm256_storeu_ps(at, accumulate ? _mm256_add_ps(sum[r][v], _mm256_loadu_ps(at)) : sum[r][v]);
    }
  }
}
#endif

// Block sizes: a sliver of B (kc x nr) has to come back from the L1 or the near end of the L2 for every tile,
// a block of A (mc x kc, 288 and 216 KiB) has to stay in the L2 beside it, a block of B (kc x nc, 4 MiB) in
// the L3. A deeper kc reads and writes C less often; below 256 that traffic was visible at n = 1024.
constexpr SgemmKernel kKernels[] = {
#if defined(__x86_64__)
    {"avx512", 6, 64, 512, 144, 2048, simd::has_avx512, avx512_tile, pack_a<6>, pack_b<64>},
    {"avx2", 6, 16, 384, 144, 2048, simd::has_avx2, avx2_tile, pack_a<6>, pack_b<16>},
#endif
    {"portable", 4, 8, 256, 128, 2048, always, portable_tile<4, 8>, pack_a<4>, pack_b<8>},
};

}  // namespace

std::span<const SgemmKernel> sgemm_kernels() { return kKernels; }

const SgemmKernel& best_sgemm_kernel() {
  const SgemmKernel* kernel = kKernels;
  while (!kernel->runs_here()) ++kernel;  // ends at the portable one
  return *kernel;
}

const SgemmKernel* find_sgemm_kernel(std::string_view name) {
  for (const SgemmKernel& kernel : kKernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

}  // namespace aisp::sgemm
