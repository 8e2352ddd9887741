// SPDX-License-Identifier: Apache-2.0
// Batched small matrix products                                                    chapter 1, introduction
//
// The idea:          many small equal problems are one large problem; say so to the code that solves them.
// What bounds it:    256 products of 16 x 16: 2.1 MFlop on 0.79 MB that stay in the L2. A core that does 64
//                    flops a cycle at 2.9 GHz could be done in 11 us. One call costs 40 ns at that rate: less
//                    than it takes to examine the arguments, set up loops whose lengths are not known, and
//                    run the tails of loops that were made for long rows.
// What to look for:  instructions per multiply-add: more than one in the baseline, which loads and stores C
//                    for every term, a little over one per sixteen in the last rung. Branches almost vanish.
// Where it stops:    at sizes of a few hundred one product keeps the machine busy; see ch09/sgemm.
#include <algorithm>
#include <cmath>

#include "aisp/aisp.h"
#include "workloads/anchors/openblas.h"
#include "workloads/simd.h"

namespace aisp::batched_small_gemm {
namespace {

enum { kA, kB };
enum { kC = 0 };

// ---- The problem: `batch` products of `size` x `size`, one after the other in memory -------------
Problem problem(const Params& params) {
  const std::int64_t size = params["size"];
  const std::int64_t batch = params["batch"];
  const auto n = static_cast<double>(size);
  const auto count = static_cast<double>(batch);
  return {.tensors = {input<float>("a", {batch, size, size}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<float>("b", {batch, size, size}, {uniform(-1, 1), wide_range(-6, 6)}),
                      output<float>("c", {batch, size, size}, reduction(DType::f32, DType::f32, n))},
          .work = {.bytes = 12 * count * n * n, .flops = 2 * count * n * n * n, .items = count}};
}

// ---- Reference: fp64, and the magnitude of what was added ----------------------------------------
void reference(const ReferenceCall& call) {
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const std::int64_t size = call.params["size"];
  WideTensor& c = call.outputs[kC];
  c.scale.resize(c.value.size());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(c.value.size()); ++i) {
    const std::int64_t problem_index = i / (size * size);
    const std::int64_t row = i / size;
    const std::int64_t column = i % size;
    for (std::int64_t p = 0; p < size; ++p) {
      const double term = static_cast<double>(a[row * size + p]) *
                          static_cast<double>(b[(problem_index * size + p) * size + column]);
      c.value[static_cast<std::size_t>(i)] += term;
      c.scale[static_cast<std::size_t>(i)] += std::fabs(term);
    }
  }
}

// ---- Baseline: the matrix product one has, called once per problem -------------------------------
// Sizes, strides and scales are arguments, as in any library; the loops are in the order that vectorises.
__attribute__((noinline)) void gemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                                    const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                                    float beta, float* c, std::int64_t ldc) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
    for (std::int64_t p = 0; p < k; ++p) {
      const float factor = alpha * a[i * lda + p];
      for (std::int64_t j = 0; j < n; ++j) c[i * ldc + j] += factor * b[p * ldb + j];
    }
  }
}

void per_problem(const Call& call) {
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const auto c = call.output<float>(kC);
  const std::int64_t size = call.params()["size"];
  const std::int64_t area = size * size;
  for (std::int64_t at = 0; at < c.size; at += area) {
    gemm(size, size, size, 1, a.data + at, size, b.data + at, size, 0, c.data + at, size);
  }
}

// ---- The idea ------------------------------------------------------------------------------------
// The whole batch has one size, so the question "how large?" is asked once, and the code behind the answer
// has it as a constant: no tails, no strides, every loop inside one problem unrolled. Rows of 16 or 32
// floats are one or two vectors; a group of rows of C stays in registers for the whole depth, each row of B
// is loaded once for all of them, and the elements of A are broadcast. What is left per problem is its
// multiply-adds. First the same plain loops with the size as a constant, then those registers written out.

// ---- First step: one size per batch, known to the compiler ---------------------------------------
using BatchFunction = void (*)(const float* a, const float* b, float* c, std::int64_t batch,
                               std::int64_t size);

template <int kSize>
void multiply_plain(const float* a, const float* b, float* c, std::int64_t batch, std::int64_t /*size*/) {
  for (std::int64_t q = 0; q < batch; ++q, b += kSize * kSize) {
    for (int i = 0; i < kSize; ++i, a += kSize, c += kSize) {
      float row[kSize] = {};  // of constant length: the compiler may keep it in registers
      for (int p = 0; p < kSize; ++p) {
        // Left to itself GCC 12 unrolls 16 steps before it looks for vectors, and then finds none.
#pragma GCC unroll 1
        for (int j = 0; j < kSize; ++j) row[j] += a[p] * b[p * kSize + j];
      }
      std::copy_n(row, kSize, c);
    }
  }
}

/// Any other size: right, not fast.
void multiply_any(const float* a, const float* b, float* c, std::int64_t batch, std::int64_t size) {
  const std::int64_t area = size * size;
  for (std::int64_t at = 0; at < batch * area; at += area) {
    gemm(size, size, size, 1, a + at, size, b + at, size, 0, c + at, size);
  }
}

// ---- Optimised: rows of C in registers -----------------------------------------------------------
#if defined(__x86_64__)
// kRows * kVectors sums, at least 8 of them: a multiply-add takes 4 cycles and two can start in each.
template <int kSize, int kRows, int kVectors>
__attribute__((target("avx512f"))) void multiply_avx512(const float* a, const float* b, float* c,
                                                        std::int64_t batch, std::int64_t /*size*/) {
  static_assert(kSize % kRows == 0 && kSize == 16 * kVectors);
  for (std::int64_t q = 0; q < batch; ++q, b += kSize * kSize) {
    for (int i = 0; i < kSize; i += kRows, a += kRows * kSize, c += kRows * kSize) {
      __m512 sum[kRows][kVectors] = {};
#pragma GCC unroll 2
      for (int p = 0; p < kSize; ++p) {
        __m512 row[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) row[v] = _mm512_loadu_ps(b + p * kSize + 16 * v);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          const __m512 factor = _mm512_set1_ps(a[r * kSize + p]);
#pragma GCC unroll 8
          for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm512_fmadd_ps(factor, row[v], sum[r][v]);
        }
      }
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) _mm512_storeu_ps(c + r * kSize + 16 * v, sum[r][v]);
      }
    }
  }
}

// Half as many registers of half the width: 4 rows by 16 columns at a time.
template <int kSize>
__attribute__((target("avx2,fma"))) void multiply_avx2(const float* a, const float* b, float* c,
                                                       std::int64_t batch, std::int64_t /*size*/) {
  static_assert(kSize % 16 == 0);
  constexpr int kRows = 4, kVectors = 2;
  for (std::int64_t q = 0; q < batch; ++q, b += kSize * kSize) {
    for (int i = 0; i < kSize; i += kRows, a += kRows * kSize, c += kRows * kSize) {
      for (int j = 0; j < kSize; j += 8 * kVectors) {
        __m256 sum[kRows][kVectors] = {};
#pragma GCC unroll 2
        for (int p = 0; p < kSize; ++p) {
          const __m256 left = _mm256_loadu_ps(b + p * kSize + j);
          const __m256 right = _mm256_loadu_ps(b + p * kSize + j + 8);
#pragma GCC unroll 8
          for (int r = 0; r < kRows; ++r) {
            const __m256 factor = _mm256_set1_ps(a[r * kSize + p]);
            sum[r][0] = _mm256_fmadd_ps(factor, left, sum[r][0]);
            sum[r][1] = _mm256_fmadd_ps(factor, right, sum[r][1]);
          }
        }
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          _mm256_storeu_ps(c + r * kSize + j, sum[r][0]);
          _mm256_storeu_ps(c + r * kSize + j + 8, sum[r][1]);
        }
      }
    }
  }
}
#endif

struct Plan {
  BatchFunction multiply = nullptr;
};

std::shared_ptr<void> plan_constant_size(const Setup& setup) {
  const std::int64_t size = setup.params["size"];
  return std::make_shared<Plan>(Plan{size == 16   ? multiply_plain<16>
                                     : size == 32 ? multiply_plain<32>
                                                  : multiply_any});
}

std::shared_ptr<void> plan_registers(const Setup& setup) {
#if defined(__x86_64__)
  const std::int64_t size = setup.params["size"];
  if (size == 16 && simd::has_avx512()) return std::make_shared<Plan>(Plan{multiply_avx512<16, 16, 1>});
  if (size == 32 && simd::has_avx512()) return std::make_shared<Plan>(Plan{multiply_avx512<32, 8, 2>});
  if (size == 16 && simd::has_avx2()) return std::make_shared<Plan>(Plan{multiply_avx2<16>});
  if (size == 32 && simd::has_avx2()) return std::make_shared<Plan>(Plan{multiply_avx2<32>});
#endif
  return plan_constant_size(setup);
}

void batched(const Call& call) {
  call.plan<Plan>().multiply(call.input<float>(kA).data, call.input<float>(kB).data,
                             call.output<float>(kC).data, call.params()["batch"], call.params()["size"]);
}

// ---- Anchor: a library that was made for large products, called per problem ----------------------
void openblas(const Call& call) {
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const auto c = call.output<float>(kC);
  const std::int64_t size = call.params()["size"];
  const auto& blas = call.plan<anchors::OpenBlas>();
  for (std::int64_t at = 0; at < c.size; at += size * size) {
    blas.sgemm(size, size, size, a.data + at, b.data + at, c.data + at);
  }
}

// ---- Registration --------------------------------------------------------------------------------
// Tolerance: a sum of `size` products in fp32 in any order, relative to the sum of their magnitudes.
const Registration registered{{
    .id = "ch01/batched_small_gemm",
    .title = "Batched small matrix products",
    .idea = "Many small equal problems are one large problem: say so to the code that solves them.",
    .bound = Bound::latency,
    .tags = {"gemm", "batching", "simd"},
    .axes = {{.name = "size", .values = {16, 32}, .quick = {16}, .small = 17},
             {.name = "batch", .values = {256}, .small = 5}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "per_problem",
                  .run = CallFunction{per_problem},
                  .note = "a general matrix product, called once per problem"},
                 {.name = "constant_size",
                  .run = CallFunction{batched},
                  .note = "one call per batch, the size a constant, plain loops",
                  .prepare = plan_constant_size},
                 {.name = "in_registers",
                  .run = CallFunction{batched},
                  .note = "the same, rows of C in vector registers",
                  .prepare = plan_registers},
                 {.name = "openblas",
                  .run = CallFunction{openblas},
                  .note = "cblas_sgemm once per problem, the best of its core types",
                  .prepare = [](const Setup& setup) -> std::shared_ptr<void> {
                    return anchors::open_openblas(setup.threads);
                  },
                  .rung = Rung::anchor,
                  .unavailable = [](const Params&) { return anchors::openblas_missing(); },
                  .search = anchors::openblas_search()}},
}};

}  // namespace
}  // namespace aisp::batched_small_gemm
