// SPDX-License-Identifier: Apache-2.0
// Every rung of labs/hopper_matmul, to the last bit. Inputs are small whole numbers, so every order of
// additions gives the same sum, and the one rounding at the end the same bf16.
#include "labs/hopper_matmul/rungs.cuh"

#include "labs/hopper_matmul/l2_order.cuh"
#include "tests/hopper/items.h"
#include "tests/hopper/on_device.cuh"

namespace aisp::hopper_test {
namespace {

using hopper_matmul::Product;
using Multiply = std::function<void(const Product&, cudaStream_t)>;

struct Size {
  int m, n, k;
};
// One tile; less than a tile; ends within tiles, steps and clusters; more tiles than multiprocessors; and
// sizes that the copy engine cannot take.
constexpr Size kSizes[] = {{128, 256, 64},    {128, 256, 256},   {64, 64, 64},      {1, 8, 8},
                           {100, 72, 40},     {257, 264, 200},   {384, 520, 1000},  {512, 512, 512},
                           {4136, 2056, 136}, {129, 4104, 2048}, {1024, 1024, 1024}};
constexpr Size kUnaligned{33, 35, 37};
constexpr std::size_t kGuard = 4096;  // elements behind D that must stay as they are

__global__ void multiply_plainly(Product p) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), i = static_cast<int>(blockIdx.y);
  if (j >= p.n) return;
  int sum = 0;
  for (int k = 0; k < p.k; ++k)
    sum += static_cast<int>(__bfloat162float(p.a[std::int64_t{i} * p.k + k])) *
           static_cast<int>(__bfloat162float(p.b[std::int64_t{j} * p.k + k]));
  p.d[std::int64_t{i} * p.n + j] = __float2bfloat16_rn(static_cast<float>(sum));
}

void compare(Report& report, const Size& size, const std::vector<Bf16>& got, const std::vector<Bf16>& want) {
  const auto elements = static_cast<std::size_t>(size.m) * static_cast<std::size_t>(size.n);
  for (std::size_t i = 0; i < elements; ++i) {
    if (!(value(got[i]) == value(want[i])))
      report.wrong("%d x %d x %d: (%zu, %zu) is %g, not %g", size.m, size.n, size.k,
                   i / static_cast<std::size_t>(size.n), i % static_cast<std::size_t>(size.n), value(got[i]),
                   value(want[i]));
  }
  for (std::size_t i = elements; i < got.size(); ++i) {
    if (bits_of(got[i]) != bits_of(poison()))
      report.wrong("%d x %d x %d: wrote %zu behind D", size.m, size.n, size.k, i - elements);
  }
}

void test_size(Report& report, const Multiply& multiply, const Size& size) {
  const auto m = static_cast<std::size_t>(size.m), n = static_cast<std::size_t>(size.n),
             k = static_cast<std::size_t>(size.k);
  OnDevice<Bf16> a(m * k), b(n * k), want(m * n), got(m * n + kGuard);
  fill_small(a.host, 5);
  fill_small(b.host, 6);
  a.upload();
  b.upload();
  const dim3 grid(gpu::blocks_for(size.n, 128), static_cast<unsigned>(size.m));
  multiply_plainly<<<grid, 128>>>({a.data(), b.data(), want.data(), size.m, size.n, size.k});
  gpu::check_launch("multiplying plainly");
  want.download();
  for (Bf16& each : got.host) each = poison();
  got.upload();
  multiply({a.data(), b.data(), got.data(), size.m, size.n, size.k}, nullptr);
  got.download();
  const int before = report.count();
  compare(report, size, got.host, want.host);
  if (report.count() > before)
    report.note("%d x %d x %d: %d of %zu wrong", size.m, size.n, size.k, report.count() - before, m * n);
}

Item item(std::string name, Multiply multiply, bool any_size) {
  return {std::move(name), [multiply, any_size](Report& report) {
            for (const Size& size : kSizes) test_size(report, multiply, size);
            if (any_size) test_size(report, multiply, kUnaligned);
          }};
}

Item of_width(int columns) {
  return item(
      "l2_order of " + std::to_string(columns) + " columns",
      [columns](const Product& p, cudaStream_t stream) { l2_order_of_width(p, columns, stream); }, false);
}

}  // namespace

std::vector<Item> rung_items() {
  namespace rungs = hopper_matmul;
  return {item("naive", rungs::naive, true),
          item("shared", rungs::shared_tile, true),
          item("registers", rungs::register_tile, true),
          item("mma_sync", rungs::mma_sync, true),
          item("wgmma", rungs::wgmma_tma, true),
          item("large_tile", rungs::large_tile, true),
          item("specialised", rungs::specialised, true),
          item("persistent", rungs::persistent, true),
          item("cluster", rungs::cluster, true),
          item("tma_store", rungs::tma_store, true),
          item("l2_order", rungs::l2_order, true),
          of_width(256),
          of_width(128),
          of_width(64)};
}

}  // namespace aisp::hopper_test
