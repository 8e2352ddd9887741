// SPDX-License-Identifier: Apache-2.0
// What attention needs beyond plain products: boxes of one matrix of a stack, products whose first input is
// in registers and whose second is turned, and the same by the instructions of one warp.
#include "tests/hopper/on_device.cuh"
#include "tests/hopper/parts.h"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"
#include "workloads/hopper/warp_mma.cuh"
#include "workloads/hopper/wgmma.cuh"
#include "workloads/hopper/wgmma_held.cuh"

namespace aisp::hopper_test {
namespace {

using hopper::kRowValues;
constexpr int kThreads = 128, kRows = 64;

// ---- Boxes of a stack ------------------------------------------------------------------------------------
constexpr int kMatrices = 3, kHeight = 100, kWidth = 72;
constexpr int kTileValues = kRows * kRowValues;

struct Tile {
  alignas(1024) Bf16 values[kTileValues];
  hopper::Barrier arrived;
};

__global__ void move_box(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                         int matrix, int row, int column, Bf16* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& tile = *reinterpret_cast<Tile*>(shared_bytes);
  if (threadIdx.x == 0) {
    tile.arrived.init(1);
    hopper::fence_barriers();
    tile.arrived.arrive_expecting(sizeof tile.values);
    hopper::load_tile(tile.values, from, matrix, row, column, tile.arrived);
  }
  __syncthreads();
  tile.arrived.wait(0);
  for (int i = static_cast<int>(threadIdx.x); i < kTileValues; i += kThreads) out[i] = tile.values[i];
  if (threadIdx.x != 0) return;
  hopper::store_tile(to, matrix, row, column, tile.values);
  hopper::end_store_group();
  hopper::wait_until_stored();
}

/// What lies beyond a matrix is zero though the next one is there, and is not written.
void test_stack(Report& report) {
  OnDevice<Bf16> values(kMatrices * kHeight * kWidth), copy(values.host.size()), out(kTileValues);
  fill_small(values.host, 11);
  values.upload();
  const CUtensorMap from = hopper::stack_map(values.data(), kMatrices, kHeight, kWidth, kRows);
  const CUtensorMap to = hopper::stack_map(copy.data(), kMatrices, kHeight, kWidth, kRows);
  constexpr int kPlaces[][3] = {{0, 0, 0}, {1, 64, 0}, {1, 60, 64}, {2, 99, 0}, {0, 37, 8}};
  for (const auto& [matrix, row, column] : kPlaces) {
    for (Bf16& each : copy.host) each = poison();
    copy.upload();
    move_box<<<1, kThreads, sizeof(Tile)>>>(from, to, matrix, row, column, out.data());
    gpu::check_launch("moving a box");
    out.download();
    copy.download();
    const auto at = [&](int r, int c) {
      return static_cast<std::size_t>((matrix * kHeight + row + r) * kWidth + column + c);
    };
    std::size_t written = 0;
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRowValues; ++c) {
        const bool inside = row + r < kHeight && column + c < kWidth;
        const float want = inside ? value(values.host[at(r, c)]) : 0;
        const float got = value(out.host[hopper::swizzled(r, c * 2) / 2]);
        if (!(got == want))
          report.wrong("matrix %d (%d, %d): value (%d, %d) is %g, not %g", matrix, row, column, r, c, got,
                       want);
        if (!inside) continue;
        ++written;
        if (!(value(copy.host[at(r, c)]) == want))
          report.wrong("(%d, %d) was not stored", row + r, column + c);
      }
    }
    std::size_t touched = 0;
    for (const Bf16& each : copy.host) touched += bits_of(each) != bits_of(poison()) ? 1 : 0;
    if (touched != written) report.wrong("%zu values were stored, not %zu", touched, written);
  }
}

// ---- wgmma with its first input in registers
// ---------------------------------------------------------------
constexpr int kDepth = 128;  // rows of k: eight slices

template <int kN>
struct Values {
  alignas(1024) Bf16 b[kN / kRowValues][kDepth * kRowValues];
  hopper::Barrier arrived;
};

/// Sums begin as A; then they are the first input of A B, as weights are.
template <int kN>
__global__ void __launch_bounds__(kThreads)
    multiply_sums(const Bf16* a, const __grid_constant__ CUtensorMap b, float* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& values = *reinterpret_cast<Values<kN>*>(shared_bytes);
  if (threadIdx.x == 0) {
    values.arrived.init(1);
    hopper::fence_barriers();
    values.arrived.arrive_expecting(sizeof values.b);
    for (int c = 0; c < kN / kRowValues; ++c)
      hopper::load_tile(values.b[c], b, 0, 0, c * kRowValues, values.arrived);
  }
  __syncthreads();
  values.arrived.wait(0);
  std::uint32_t held[kDepth / 4];
#pragma unroll
  for (int i = 0; i < kDepth / 4; ++i) {
    const hopper::Place at = hopper::sum_place(static_cast<int>(threadIdx.x), 2 * i);
    held[i] = *reinterpret_cast<const std::uint32_t*>(&a[at.row * kDepth + at.column]);
  }
  float sums[kN / 2];
#pragma unroll
  for (int i = 0; i < kN / 2; ++i) sums[i] = 12345;
  hopper::settle(sums);
  const std::uint64_t of_b = hopper::turned_descriptor(hopper::shared_address(values.b), sizeof values.b[0]);
  hopper::begin_products();
#pragma unroll
  for (int slice = 0; slice < kDepth / hopper::kSlice; ++slice)
    hopper::multiply_held<kN>(sums, &held[4 * slice], of_b + slice * hopper::kTurnedSliceStep, slice > 0);
  hopper::end_products();
  hopper::wait_for_products<0>(sums);
#pragma unroll
  for (int i = 0; i < kN / 2; ++i) out[threadIdx.x * (kN / 2) + i] = sums[i];
}

template <int kN>
void test_held(Report& report) {
  OnDevice<Bf16> a(kRows * kDepth), b(kDepth * kN);
  OnDevice<float> out(kThreads * kN / 2);
  fill_small(a.host, 12);
  fill_small(b.host, 13);
  a.upload();
  b.upload();
  gpu::check(cudaFuncSetAttribute(multiply_sums<kN>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(sizeof(Values<kN>))),
             "allowing shared memory");
  multiply_sums<kN><<<1, kThreads, sizeof(Values<kN>)>>>(
      a.data(), hopper::stack_map(b.data(), 1, kDepth, kN, kDepth), out.data());
  gpu::check_launch("multiplying what is held");
  out.download();
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kN / 2; ++i) {
      const hopper::Place at = hopper::sum_place(t, i);
      float want = 0;
      for (int k = 0; k < kDepth; ++k)
        want += value(a.host[static_cast<std::size_t>(at.row * kDepth + k)]) *
                value(b.host[static_cast<std::size_t>(k * kN + at.column)]);
      const float got = out.host[static_cast<std::size_t>(t * (kN / 2) + i)];
      if (!(got == want))
        report.wrong("thread %d sum %d, element (%d, %d): %g, not %g", t, i, at.row, at.column, got, want);
    }
  }
}

// ---- The same by one warp
// ----------------------------------------------------------------------------------
/// 16 x 16 from rows of `a`, by 16 x 8 of `b` whose rows are columns (plain) or k (turned). `b` turned once
/// more in registers must give the first again.
__global__ void multiply_by_warp(const Bf16* a, const Bf16* b, float* out) {
  __shared__ alignas(1024) Bf16 tiles[2][16 * kRowValues];
  const std::uint32_t of_a = hopper::shared_address(tiles[0]), of_b = hopper::shared_address(tiles[1]);
  const int lane = static_cast<int>(threadIdx.x);
  for (int piece = lane; piece < 16 * 2; piece += 32) {
    const std::uint32_t at = hopper::swizzled(piece / 2, piece % 2 * 16);
    hopper::copy_piece(of_a + at, a + piece * 8, true);
    hopper::copy_piece(of_b + at, piece < 24 ? b + piece * 8 : b, piece < 24);  // rows from 12 on are zero
  }
  hopper::end_copies();
  hopper::wait_for_copies<0>();
  __syncwarp();
  std::uint32_t rows[4], plain[4], turned[4];
  hopper::load_matrices(rows, of_a, lane % 16, lane / 16);
  hopper::load_matrices(plain, of_b, lane % 8 + lane / 16 * 8, lane / 8 % 2);
  hopper::load_turned_matrices(turned, of_b, lane % 16, lane / 16);
  float sums[3][4] = {};
  hopper::multiply_16x8(sums[0], rows, plain[0], plain[1]);
  hopper::multiply_16x8(sums[1], rows, turned[0], turned[1]);
  hopper::multiply_16x8(sums[2], rows, hopper::turned_matrix(turned[0]), hopper::turned_matrix(turned[2]));
  for (int i = 0; i < 12; ++i) out[i * 32 + lane] = sums[i / 4][i % 4];
}

void test_warp(Report& report) {
  OnDevice<Bf16> a(256), b(256);
  OnDevice<float> out(12 * 32);
  fill_small(a.host, 14);
  fill_small(b.host, 15);
  a.upload();
  b.upload();
  multiply_by_warp<<<1, 32>>>(a.data(), b.data(), out.data());
  gpu::check_launch("multiplying by a warp");
  out.download();
  const auto of_b = [&](int r, int c) {
    return r < 12 ? value(b.host[static_cast<std::size_t>(r * 16 + c)]) : 0;
  };
  for (int i = 0; i < 12; ++i) {
    for (int lane = 0; lane < 32; ++lane) {
      const int row = lane / 4 + i % 4 / 2 * 8, column = lane % 4 * 2 + i % 2;
      float want = 0;
      for (int k = 0; k < 16; ++k)
        want += value(a.host[static_cast<std::size_t>(row * 16 + k)]) *
                (i / 4 == 1 ? of_b(k, column) : of_b(column, k));
      const float got = out.host[static_cast<std::size_t>(i * 32 + lane)];
      if (!(got == want))
        report.wrong("product %d, element (%d, %d): %g, not %g", i / 4, row, column, got, want);
    }
  }
}

}  // namespace

std::vector<Item> held_items() {
  return {{"copy: a box of a stack", test_stack},
          {"wgmma: registers by turned, 64 x 64", test_held<64>},
          {"wgmma: registers by turned, 64 x 128", test_held<128>},
          {"mma.sync: rows, columns, turned", test_warp}};
}

}  // namespace aisp::hopper_test
