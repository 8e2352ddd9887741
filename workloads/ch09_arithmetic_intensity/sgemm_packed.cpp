// SPDX-License-Identifier: Apache-2.0
#include "workloads/ch09_arithmetic_intensity/sgemm_packed.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "aisp/core/check.h"

namespace aisp::sgemm {
namespace {

constexpr std::int64_t kLine = 16;  // floats in a cache line

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// The largest multiple of `step` not above `limit` that cuts `total` into equal blocks.
std::int64_t even_block(std::int64_t total, std::int64_t limit, std::int64_t step) {
  const std::int64_t blocks = (total + limit - 1) / limit;
  return round_up((total + blocks - 1) / blocks, step);
}

std::size_t floats_of_a(std::int64_t mc, std::int64_t kc) {
  return static_cast<std::size_t>(round_up(mc * kc, kLine));
}

/// Huge pages: a block of B spans a thousand small ones, more than the first-level TLB holds. Filled here, so
/// that no page fault is left for the timed call.
constexpr std::size_t kHugePage = std::size_t{2} << 20;
float* allocate(std::size_t bytes) {
  void* memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: small pages work too
  std::memset(memory, 0, bytes);
  return static_cast<float*>(memory);
}

}  // namespace

std::size_t PackedProduct::workspace_bytes(const SgemmKernel& kernel, std::int64_t m, std::int64_t n,
                                           std::int64_t k, int threads) {
  const std::int64_t kc = even_block(k, kernel.kc, 1);
  const std::int64_t mc = even_block(m, kernel.mc, kernel.mr);
  const std::int64_t nc = even_block(n, kernel.nc, kernel.nr);
  const std::size_t floats =
      static_cast<std::size_t>(threads) * floats_of_a(mc, kc) + static_cast<std::size_t>(kc * nc);
  return (floats * sizeof(float) + kHugePage - 1) / kHugePage * kHugePage;
}

PackedProduct::PackedProduct(const SgemmKernel& kernel, std::int64_t m, std::int64_t n, std::int64_t k,
                             int threads)
    : kernel_(kernel),
      m_(m),
      n_(n),
      k_(k),
      kc_(even_block(k, kernel.kc, 1)),
      mc_(even_block(m, kernel.mc, kernel.mr)),
      nc_(even_block(n, kernel.nc, kernel.nr)),
      threads_(threads),
      a_floats_(floats_of_a(mc_, kc_)),
      workspace_(allocate(workspace_bytes(kernel, m, n, k, threads)), &std::free),
      packed_b_(workspace_.get() + static_cast<std::size_t>(threads) * a_floats_) {}

void PackedProduct::run(const float* a, const float* b, float* c) {
  run_blocks(a, b, c, [](auto&& body) { body(0, 1); });
}

void PackedProduct::run(const float* a, const float* b, float* c, Team& team) {
  AISP_CHECK(team.size() <= threads_, "the plan was made for fewer threads");
  run_blocks(a, b, c, [&](auto&& body) { team.run(body); });
}

/// A block of B is packed by all threads together and then read by all of them: the end of the first parallel
/// step is the barrier that the second needs, and the other way round. Inside a step threads take the next
/// piece of work when they are done with one, so that a thread that was interrupted holds the others up by
/// one piece.
template <class Parallel>
void PackedProduct::run_blocks(const float* a, const float* b, float* c, const Parallel& parallel) {
  for (std::int64_t j = 0; j < n_; j += nc_) {
    const Block columns{j, std::min(nc_, n_ - j)};
    for (std::int64_t p = 0; p < k_; p += kc_) {
      const Block depth{p, std::min(kc_, k_ - p)};
      next_.store(0, std::memory_order_relaxed);
      parallel([&](int, int) { pack_b(b, depth, columns); });
      next_.store(0, std::memory_order_relaxed);
      parallel([&](int thread, int threads) { multiply(a, c, depth, columns, thread, threads); });
    }
  }
}

void PackedProduct::pack_b(const float* b, Block depth, Block columns) {
  const std::int64_t piece = 2 * kernel_.nr;
  for (;;) {
    const std::int64_t first = next_.fetch_add(piece, std::memory_order_relaxed);
    if (first >= columns.size) return;
    kernel_.pack_b(b + depth.first * n_ + columns.first + first, n_, depth.size,
                   std::min(piece, columns.size - first), packed_b_ + first * depth.size);
  }
}

/// L2-sized blocks of rows, as many for each thread and none of them more than a tile higher than another,
/// the higher ones first: a short block at the end would leave all threads but one without work.
void PackedProduct::multiply(const float* a, float* c, Block depth, Block columns, int thread, int threads) {
  float* packed_a = workspace_.get() + static_cast<std::size_t>(thread) * a_floats_;
  const std::int64_t mr = kernel_.mr;
  const std::int64_t tiles = (m_ + mr - 1) / mr;
  const std::int64_t tiles_a_round = threads * (mc_ / mr);
  const std::int64_t blocks = threads * ((tiles + tiles_a_round - 1) / tiles_a_round);
  for (;;) {
    const std::int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
    if (index >= blocks) return;
    const auto first_of = [&](std::int64_t block) {
      return std::min(m_, (block * (tiles / blocks) + std::min(block, tiles % blocks)) * mr);
    };
    const Block rows{first_of(index), first_of(index + 1) - first_of(index)};
    if (rows.size == 0) return;  // fewer tiles than threads
    kernel_.pack_a(a + rows.first * k_ + depth.first, k_, rows.size, depth.size, packed_a);
    multiply_block(c, packed_a, rows, depth, columns);
  }
}

/// The sliver of B is the outer loop: it is read rows.size / mr times while the block of A passes by.
void PackedProduct::multiply_block(float* c, const float* packed_a, Block rows, Block depth,
                                   Block columns) const {
  alignas(64) float edge[16 * 64];  // a tile that hangs over the edge of C is computed here and copied
  const std::int64_t mr = kernel_.mr;
  const std::int64_t nr = kernel_.nr;
  const bool accumulate = depth.first > 0;
  for (std::int64_t j = 0; j < columns.size; j += nr) {
    const float* b = packed_b_ + j * depth.size;
    const std::int64_t width = std::min(nr, columns.size - j);
    for (std::int64_t i = 0; i < rows.size; i += mr) {
      const float* a = packed_a + i * depth.size;
      // Each tile fetches the next part of the sliver of B that comes after this one, 4 floats per step of
      // depth.
      const float* ahead = b + std::min(nr + 4 * (i / mr), 2 * nr) * depth.size;
      float* tile = c + (rows.first + i) * n_ + columns.first + j;
      const std::int64_t height = std::min(mr, rows.size - i);
      if (width == nr && height == mr) {
        kernel_.tile(depth.size, a, b, tile, n_, accumulate, ahead);
        continue;
      }
      kernel_.tile(depth.size, a, b, edge, nr, false, ahead);
      for (std::int64_t r = 0; r < height; ++r) {
        for (std::int64_t q = 0; q < width; ++q) {
          tile[r * n_ + q] = edge[r * nr + q] + (accumulate ? tile[r * n_ + q] : 0.0f);
        }
      }
    }
  }
}

}  // namespace aisp::sgemm
