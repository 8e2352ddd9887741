// SPDX-License-Identifier: Apache-2.0
// The copy engine by itself: where a box's values land, what comes from beyond the matrix, what every block
// of a cluster gets, and what a store leaves alone.
#include "tests/hopper/on_device.cuh"
#include "tests/hopper/parts.h"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::hopper_test {
namespace {

using hopper::kRowValues;
constexpr int kRows = 128, kThreads = 128;
constexpr int kValues = kRows * kRowValues;
constexpr unsigned kBytes = kValues * sizeof(Bf16);

struct Memory {
  alignas(1024) Bf16 tile[kValues];
  hopper::Barrier arrived;
};

__device__ void poison_tile(Memory& memory) {
  for (int i = static_cast<int>(threadIdx.x); i < kValues; i += kThreads)
    memory.tile[i] = __ushort_as_bfloat16(0x7fa5);
  hopper::fence_writes_for_engines();
}
__device__ void dump_tile(const Memory& memory, Bf16* out) {
  for (int i = static_cast<int>(threadIdx.x); i < kValues; i += kThreads) out[i] = memory.tile[i];
}

__global__ void load_box(const __grid_constant__ CUtensorMap map, int row, int column, Bf16* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory*>(shared_bytes);
  poison_tile(memory);
  if (threadIdx.x == 0) {
    memory.arrived.init(1);
    hopper::fence_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    memory.arrived.arrive_expecting(kBytes);
    hopper::load_tile(memory.tile, map, row, column, memory.arrived);
  }
  memory.arrived.wait(0);
  dump_tile(memory, out);
}

/// Each block brings half of the rows, for both.
__global__ void __cluster_dims__(2, 1, 1)
    load_for_both(const __grid_constant__ CUtensorMap map, int row, int column, Bf16* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory*>(shared_bytes);
  poison_tile(memory);
  if (threadIdx.x == 0) {
    memory.arrived.init(1);
    hopper::fence_barriers();
  }
  hopper::cluster_barrier();
  if (threadIdx.x == 0) {
    const int part = static_cast<int>(hopper::cluster_rank()) * kRows / 2;
    memory.arrived.arrive_expecting(kBytes);
    hopper::load_tile_for(3, memory.tile + part * kRowValues, map, row + part, column, memory.arrived);
  }
  memory.arrived.wait(0);
  dump_tile(memory, out + hopper::cluster_rank() * kValues);
  hopper::cluster_barrier();
}

/// Value (r, c) of the box is r * 64 + c, put where the swizzle says.
__global__ void store_box(const __grid_constant__ CUtensorMap map, int row, int column) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory*>(shared_bytes);
  for (int i = static_cast<int>(threadIdx.x); i < kValues; i += kThreads)
    memory.tile[hopper::swizzled(i / kRowValues, i % kRowValues * 2) / 2] =
        __ushort_as_bfloat16(static_cast<unsigned short>(i));
  hopper::fence_writes_for_engines();
  __syncthreads();
  if (threadIdx.x != 0) return;
  hopper::store_tile(map, row, column, memory.tile);
  hopper::end_store_group();
  hopper::wait_until_stored();
}

/// A matrix that ends within boxes.
struct Matrix {
  static constexpr int kHeight = 300, kWidth = 200;
  OnDevice<Bf16> values{kHeight * kWidth};

  Bf16 at(int row, int column) const {
    const bool inside = row < kHeight && column < kWidth;
    return inside ? values.host[static_cast<std::size_t>(row * kWidth + column)] : __float2bfloat16(0);
  }
};
constexpr int kPlaces[][2] = {{0, 0}, {8, 64}, {37, 24}, {200, 0}, {256, 192}, {3, 160}, {300, 0}, {0, 256}};

void expect_box(Report& report, const Matrix& matrix, const Bf16* tile, int row, int column,
                const char* who) {
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kRowValues; ++c) {
      const Bf16 got = tile[hopper::swizzled(r, c * 2) / 2], want = matrix.at(row + r, column + c);
      if (!(value(got) == value(want)))
        report.wrong("%s at (%d, %d): value (%d, %d) is %g, not %g", who, row, column, r, c, value(got),
                     value(want));
    }
  }
}

void test_load(Report& report) {
  Matrix matrix;
  fill_small(matrix.values.host, 1);
  matrix.values.upload();
  const CUtensorMap map = hopper::matrix_map(matrix.values.data(), Matrix::kHeight, Matrix::kWidth, kRows);
  OnDevice<Bf16> out(kValues);
  for (const auto& [row, column] : kPlaces) {
    load_box<<<1, kThreads, sizeof(Memory)>>>(map, row, column, out.data());
    gpu::check_launch("loading a box");
    out.download();
    expect_box(report, matrix, out.host.data(), row, column, "box");
  }
}

void test_multicast(Report& report) {
  Matrix matrix;
  fill_small(matrix.values.host, 2);
  matrix.values.upload();
  const CUtensorMap map =
      hopper::matrix_map(matrix.values.data(), Matrix::kHeight, Matrix::kWidth, kRows / 2);
  OnDevice<Bf16> out(2 * kValues);
  for (const auto& [row, column] : kPlaces) {
    load_for_both<<<2, kThreads, sizeof(Memory)>>>(map, row, column, out.data());
    gpu::check_launch("loading for both blocks");
    out.download();
    expect_box(report, matrix, out.host.data(), row, column, "block 0");
    expect_box(report, matrix, out.host.data() + kValues, row, column, "block 1");
  }
}

void test_store(Report& report) {
  Matrix matrix;
  const CUtensorMap map = hopper::matrix_map(matrix.values.data(), Matrix::kHeight, Matrix::kWidth, kRows);
  for (const auto& [row, column] : kPlaces) {
    for (Bf16& each : matrix.values.host) each = poison();
    matrix.values.upload();
    store_box<<<1, kThreads, sizeof(Memory)>>>(map, row, column);
    gpu::check_launch("storing a box");
    matrix.values.download();
    for (int r = 0; r < Matrix::kHeight; ++r) {
      for (int c = 0; c < Matrix::kWidth; ++c) {
        const bool inside = r >= row && r < row + kRows && c >= column && c < column + kRowValues;
        const int want = inside ? (r - row) * kRowValues + c - column : bits_of(poison());
        const int got = bits_of(matrix.at(r, c));
        if (got != want)
          report.wrong("box at (%d, %d): (%d, %d) is %d, not %d", row, column, r, c, got, want);
      }
    }
  }
}

}  // namespace

std::vector<Item> copy_items() {
  return {{"copy engine: load, swizzled", test_load},
          {"copy engine: load for two blocks", test_multicast},
          {"copy engine: store, clipped", test_store}};
}

}  // namespace aisp::hopper_test
