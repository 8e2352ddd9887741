// SPDX-License-Identifier: Apache-2.0
// Matrix product                                                         chapter 9, arithmetic intensity
//
// The idea:          use every number you fetch as often as you can before you let it go: in registers
//                    first, then in each cache.
// What bounds it:    2 n^3 flops on 12 n^2 bytes. At n = 1024 that is 2.1 GFlop on 12.6 MB, 171 flops a
//                    byte. A core that does 64 flops a cycle (two 512-bit multiply-adds) at 2.9 GHz needs
//                    11.6 ms for the flops and about 1 ms for the bytes. Whoever is slower than that
//                    fetches the same bytes again and again.
// What to look for:  multiply-adds per load. The baseline does one per three memory operations (b, c and c
//                    again); the register tile of `packed` does 24 per ten.
// Where it stops:    below n = 100 packing costs more than it saves; with a single column (a matrix by a
//                    vector) nothing is used twice and memory bandwidth decides.
#include "workloads/ch09_arithmetic_intensity/sgemm.h"

#include <algorithm>

#include "workloads/anchors/onednn.h"
#include "workloads/anchors/openblas.h"

namespace aisp::sgemm {
namespace {

// ---- The problem and the reference: sgemm.h -----------------------------------------------------

// ---- Baseline: three loops, the inner one along the rows of B and C so that it vectorises -------
// The order of the textbook (i, j, p) walks down a column of B, a new cache line for every multiply-add; it
// is fifteen times slower than this, and nobody who has met a cache writes it.
void naive(const Call& call) {
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const auto c = call.output<float>(kC);
  const std::int64_t n = call.params()["n"];
  for (std::int64_t i = 0; i < n; ++i) {
    float* row = c.data + i * n;
    std::fill_n(row, n, 0.0f);
    for (std::int64_t p = 0; p < n; ++p) {
      const float factor = a[i * n + p];
      for (std::int64_t j = 0; j < n; ++j) row[j] += factor * b[p * n + j];
    }
  }
}

// ---- The idea -----------------------------------------------------------------------------------
// A tile of C lives in registers for a whole block of depth: 6 x 64 sums with AVX-512, 6 x 16 with AVX2.
// Each step loads one row of the tile's width from B, broadcasts six numbers of A and does 24 (12)
// multiply-adds, so that the multipliers and not the loads are the limit. For that the operands must arrive
// in exactly the order they are used: A and B are first copied ("packed") into slivers as tall and as wide
// as the tile. Packing touches n^2 numbers, the product n^3; it also removes the strides, and with them the
// cache conflicts and TLB misses of a power-of-two n. The blocks around the tile are chosen so that a block
// of A stays in the L2 and one of B in the L3. The kernels are in sgemm_kernels.cpp, the loops around them
// in sgemm_packed.cpp.

// ---- Optimised 1: stay inside a block of B that fits the L2, four rows of it at a time ----------
// The baseline streams all of B from the L3 or from memory for each row of C. Here a block of 128 x 512
// floats (256 KiB) is used by every row before the next one is touched, and each load and store of C serves
// four terms. A deeper block reads and writes C less often, a wider one reads A less often; what of both fits
// is the machine's to say (`aisp tune ch09/sgemm`).
void blocked(const Call& call) {
  const std::int64_t depth = call.params()["depth"];
  const std::int64_t most_wide = call.params()["width"];
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const auto c = call.output<float>(kC);
  const std::int64_t n = call.params()["n"];
  std::fill_n(c.data, n * n, 0.0f);
  for (std::int64_t first_p = 0; first_p < n; first_p += depth) {
    const std::int64_t last_p = std::min(first_p + depth, n);
    for (std::int64_t first_j = 0; first_j < n; first_j += most_wide) {
      const std::int64_t width = std::min(most_wide, n - first_j);
      for (std::int64_t i = 0; i < n; ++i) {
        const float* f = a.data + i * n;
        float* __restrict row = c.data + i * n + first_j;
        std::int64_t p = first_p;
        for (; p + 4 <= last_p; p += 4) {
          const float *b0 = b.data + p * n + first_j, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
          for (std::int64_t j = 0; j < width; ++j) {
            row[j] += f[p] * b0[j] + f[p + 1] * b1[j] + f[p + 2] * b2[j] + f[p + 3] * b3[j];
          }
        }
        for (; p < last_p; ++p) {
          const float* b0 = b.data + p * n + first_j;
          for (std::int64_t j = 0; j < width; ++j) row[j] += f[p] * b0[j];
        }
      }
    }
  }
}

// ---- Optimised 2: packed blocks and a register tile; then the same on all threads ---------------
std::shared_ptr<void> plan_with(const SgemmKernel& kernel, const Setup& setup) {
  const std::int64_t n = setup.params["n"];
  return std::make_shared<PackedProduct>(kernel, n, n, n, setup.threads);
}
std::shared_ptr<void> plan(const Setup& setup) { return plan_with(best_sgemm_kernel(), setup); }
std::shared_ptr<void> plan_avx2(const Setup& setup) { return plan_with(*find_sgemm_kernel("avx2"), setup); }

void packed(const Call& call) {
  call.plan<PackedProduct>().run(call.input<float>(kA).data, call.input<float>(kB).data,
                                 call.output<float>(kC).data);
}

void threaded(const Call& call) {
  call.plan<PackedProduct>().run(call.input<float>(kA).data, call.input<float>(kB).data,
                                 call.output<float>(kC).data, call.team());
}

std::optional<std::string> avx2_is_not_apart(const Params&) {
  const SgemmKernel* avx2 = find_sgemm_kernel("avx2");
  if (avx2 == nullptr || !avx2->runs_here()) return "AVX2 with FMA is not to be had";
  if (avx2 == &best_sgemm_kernel()) return "without AVX-512 the packed rung uses AVX2 already";
  return std::nullopt;
}

// ---- Anchors ------------------------------------------------------------------------------------
template <class Library>
void anchor(const Call& call) {
  const std::int64_t n = call.params()["n"];
  call.plan<Library>().sgemm(n, n, n, call.input<float>(kA).data, call.input<float>(kB).data,
                             call.output<float>(kC).data);
}

// ---- Registration -------------------------------------------------------------------------------
// Tolerance: a sum of n products in fp32 in any order, relative to the sum of their magnitudes.
const Registration registered{{
    .id = "ch09/sgemm",
    .title = "Matrix product",
    .idea = "Use every number you fetch as often as you can: a tile in registers, blocks in each cache.",
    .bound = Bound::compute,
    .tags = {"gemm", "simd", "cache"},
    .axes = {{.name = "n", .values = {512, 1024, 2048}, .quick = {1024}, .small = 101},
             {.name = "threads", .values = {1, 2}, .quick = {1, 2}, .small = 2}},
    .problem = problem,
    .reference = reference,
    .check = check,
    .reference_is_slow = reference_is_slow,
    .variants = {{.name = "naive",
                  .run = CallFunction{naive},
                  .note = "one thread: three loops, vectorised along rows"},
                 {.name = "blocked",
                  .run = CallFunction{blocked},
                  .note = "one thread: a block of B stays in the L2",
                  .tunables = {{.name = "depth", .values = {32, 64, 128, 256}, .fallback = 128},
                               {.name = "width", .values = {128, 256, 512, 1024}, .fallback = 512}}},
                 {.name = "packed_avx2",
                  .run = CallFunction{packed},
                  .note = "one thread: the packed rung held to AVX2",
                  .prepare = plan_avx2,
                  .rung = Rung::informational,
                  .unavailable = avx2_is_not_apart},
                 {.name = "packed",
                  .run = CallFunction{packed},
                  .note = "one thread: packed blocks, a tile of C in registers",
                  .prepare = plan},
                 {.name = "threaded",
                  .run = CallFunction{threaded},
                  .note = "all threads: they share the block of B and split the rows",
                  .prepare = plan},
                 {.name = "openblas",
                  .run = CallFunction{anchor<anchors::OpenBlas>},
                  .note = "cblas_sgemm, the best of its core types",
                  .prepare = [](const Setup& setup) -> std::shared_ptr<void> {
                    return anchors::open_openblas(setup.threads);
                  },
                  .rung = Rung::anchor,
                  .unavailable = [](const Params&) { return anchors::openblas_missing(); },
                  .search = anchors::openblas_search()},
                 {.name = "onednn",
                  .run = CallFunction{anchor<anchors::OneDnn>},
                  .note = "dnnl_sgemm, the best of its instruction sets",
                  .prepare = [](const Setup& setup) -> std::shared_ptr<void> {
                    return anchors::open_onednn(setup.threads);
                  },
                  .rung = Rung::anchor,
                  .unavailable = [](const Params&) { return anchors::onednn_missing(); },
                  .search = anchors::onednn_search()}},
}};

}  // namespace
}  // namespace aisp::sgemm
