// SPDX-License-Identifier: Apache-2.0
// Every rung of labs/hopper_matmul, to the last bit.
#include "labs/hopper_matmul/rungs.cuh"

#include "labs/hopper_matmul/l2_order.cuh"
#include "labs/hopper_matmul/one_wave.cuh"
#include "tests/hopper/product_check.cuh"

namespace aisp::hopper_test {
namespace {

using hopper_matmul::Product;

// One tile; less than a tile; ends within tiles, steps and clusters; more tiles than multiprocessors; and
// sizes that the copy engine cannot take.
constexpr Size kSizes[] = {{128, 256, 64},    {128, 256, 256},   {64, 64, 64},      {1, 8, 8},
                           {100, 72, 40},     {257, 264, 200},   {384, 520, 1000},  {512, 512, 512},
                           {4136, 2056, 136}, {129, 4104, 2048}, {1024, 1024, 1024}};
constexpr Size kUnaligned{33, 35, 37};

Item item(std::string name, Multiply<Product> multiply, bool any_size) {
  return {std::move(name), [multiply, any_size](Report& report) {
            for (const Size& size : kSizes) test_size(report, multiply, size, hopper_matmul::Unscaled{});
            if (any_size) test_size(report, multiply, kUnaligned, hopper_matmul::Unscaled{});
          }};
}

Item of_width(int columns) {
  return item(
      "l2_order of " + std::to_string(columns) + " columns",
      [columns](const Product& p, cudaStream_t stream) { l2_order_of_width(p, columns, stream); }, false);
}

Item in_one_wave(const char* tile, hopper_matmul::WaveTile kind) {
  return item(
      std::string("one_wave of ") + tile,
      [kind](const Product& p, cudaStream_t stream) { one_wave_of(p, kind, stream); }, false);
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
          item("one_wave", rungs::one_wave, true),
          of_width(256),
          of_width(128),
          of_width(64),
          in_one_wave("64 x 128", hopper_matmul::WaveTile::small),
          in_one_wave("128 x 256", hopper_matmul::WaveTile::large)};
}

}  // namespace aisp::hopper_test
