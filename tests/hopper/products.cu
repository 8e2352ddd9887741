// SPDX-License-Identifier: Apache-2.0
// The matrix instruction by itself, every sum of every thread, and the way of sums through stmatrix.
#include <cmath>

#include "tests/hopper/on_device.cuh"
#include "tests/hopper/parts.h"
#include "workloads/hopper/fragment.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"
#include "workloads/hopper/wgmma.cuh"

namespace aisp::hopper_test {
namespace {

constexpr int kRows = 64, kThreads = 128;

/// Values of a row of 128 bytes.
template <class In>
constexpr int kDepth = static_cast<int>(hopper::kRowBytes / sizeof(In));

template <class In, int kN>
struct Memory {
  alignas(1024) In a[kRows * kDepth<In>];
  alignas(1024) In b[kN * kDepth<In>];
  hopper::Barrier arrived;
};

/// Sums begin as rubbish, which the first product must drop.
template <class In, int kN>
__global__ void __launch_bounds__(kThreads)
    multiply_once(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* out) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory<In, kN>*>(shared_bytes);
  if (threadIdx.x == 0) {
    memory.arrived.init(1);
    hopper::fence_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    memory.arrived.arrive_expecting(sizeof memory.a + sizeof memory.b);
    hopper::load_tile(memory.a, a, 0, 0, memory.arrived);
    hopper::load_tile(memory.b, b, 0, 0, memory.arrived);
  }
  memory.arrived.wait(0);
  float sums[kN / 2];
#pragma unroll
  for (int i = 0; i < kN / 2; ++i) sums[i] = 12345;
  hopper::settle(sums);
  const std::uint64_t of_a = hopper::tile_descriptor(hopper::shared_address(memory.a));
  const std::uint64_t of_b = hopper::tile_descriptor(hopper::shared_address(memory.b));
  hopper::begin_products();
#pragma unroll
  for (int slice = 0; slice < 4; ++slice)
    hopper::multiply<kN, In>(sums, of_a + slice * hopper::kSliceStep, of_b + slice * hopper::kSliceStep,
                             slice > 0);
  hopper::end_products();
  hopper::wait_for_products<0>(sums);
#pragma unroll
  for (int i = 0; i < kN / 2; ++i) out[threadIdx.x * (kN / 2) + i] = sums[i];
}

template <class In, int kN>
void test_product(Report& report) {
  constexpr int kWidth = kDepth<In>;
  OnDevice<In> a(kRows * kWidth), b(kN * kWidth);
  OnDevice<float> out(kThreads * kN / 2);
  fill_small(a.host, 3);
  fill_small(b.host, 4);
  a.upload();
  b.upload();
  constexpr auto kBytes = sizeof(Memory<In, kN>);
  gpu::check(cudaFuncSetAttribute(multiply_once<In, kN>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(kBytes)),
             "allowing shared memory");
  multiply_once<In, kN><<<1, kThreads, kBytes>>>(hopper::matrix_map(a.data(), kRows, kWidth, kRows),
                                                 hopper::matrix_map(b.data(), kN, kWidth, kN), out.data());
  gpu::check_launch("multiplying once");
  out.download();
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kN / 2; ++i) {
      const hopper::Place at = hopper::sum_place(t, i);
      float want = 0;
      for (int k = 0; k < kWidth; ++k) {
        want += value(a.host[static_cast<std::size_t>(at.row * kWidth + k)]) *
                value(b.host[static_cast<std::size_t>(at.column * kWidth + k)]);
      }
      const float got = out.host[static_cast<std::size_t>(t * (kN / 2) + i)];
      if (!(got == want))
        report.wrong("thread %d sum %d, element (%d, %d): %g, not %g", t, i, at.row, at.column, got, want);
    }
  }
}

/// Sums that are their own row, or their own column, through registers to a swizzled tile of 128 bytes a row.
template <class Out>
__global__ void __launch_bounds__(kThreads) store_places(bool rows, Out* out) {
  constexpr int kWidth = kDepth<Out>;
  __shared__ alignas(1024) Out tile[kRows * kWidth];
  float sums[64];  // 128 columns, of which the second half, or its beginning, is stored
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const hopper::Place at = hopper::sum_place(static_cast<int>(threadIdx.x), i);
    sums[i] = static_cast<float>(rows ? at.row : at.column);
  }
  if constexpr (sizeof(Out) == 2) {
    hopper::store_rounded(hopper::shared_address(tile), 64, sums);
  } else {
    hopper::store_whole(hopper::shared_address(tile), 64, sums);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kWidth; i += kThreads) out[i] = tile[i];
}

template <class Out>
void test_fragment(Report& report) {
  constexpr int kWidth = kDepth<Out>;
  OnDevice<Out> out(kRows * kWidth);
  for (const bool rows : {true, false}) {
    store_places<<<1, kThreads>>>(rows, out.data());
    gpu::check_launch("storing sums");
    out.download();
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kWidth; ++c) {
        const float got = value(out.host[hopper::swizzled(static_cast<std::uint32_t>(r),
                                                          static_cast<std::uint32_t>(c * sizeof(Out))) /
                                         sizeof(Out)]);
        const auto want = static_cast<float>(rows ? r : c + 64);
        if (!(got == want)) report.wrong("%s of (%d, %d) is %g", rows ? "row" : "column", r, c, got);
      }
    }
  }
}

template <class In>
std::vector<Item> wgmma_items(const std::string& type) {
  return {{"wgmma of " + type + ": 64 x 64", test_product<In, 64>},
          {"wgmma of " + type + ": 64 x 128", test_product<In, 128>},
          {"wgmma of " + type + ": 64 x 256", test_product<In, 256>}};
}

}  // namespace

std::vector<Item> product_items() {
  std::vector<Item> items = {{"stmatrix: sums to a tile", test_fragment<Bf16>},
                             {"pairs: sums to a tile", test_fragment<float>},
                             {"wgmma of bf16: 64 x 160", test_product<Bf16, 160>},
                             {"wgmma of bf16: 64 x 192", test_product<Bf16, 192>}};
  for (const auto& more :
       {wgmma_items<Bf16>("bf16"), wgmma_items<__nv_fp8_e4m3>("e4m3"), wgmma_items<float>("tf32")})
    items.insert(items.end(), more.begin(), more.end());
  return items;
}

}  // namespace aisp::hopper_test
