// SPDX-License-Identifier: Apache-2.0
// Every rung of labs/blackwell_matmul on the emulated machine: the kernels as they are, with instructions
// that no device at hand has (and those that the host has not) replaced by emulated/. What is shown:
// barriers, phases, roles, schedules and addresses give the right product and end. What is not: that the
// device's instructions do what their emulation does.
#include <gtest/gtest.h>

#include <bit>
#include <stdexcept>

#include "labs/blackwell_matmul/large_tile.cuh"
#include "labs/blackwell_matmul/launch_control.cuh"
#include "labs/blackwell_matmul/one_step.cuh"
#include "labs/blackwell_matmul/overlapped.cuh"
#include "labs/blackwell_matmul/pair.cuh"
#include "labs/blackwell_matmul/ring.cuh"
#include "labs/blackwell_matmul/specialised.cuh"
#include "labs/blackwell_matmul/tma_store.cuh"

namespace aisp::blackwell_matmul {
namespace {

struct Size {
  int m, n, k;
};
struct Rung {
  const char* name;
  void (*multiply)(const Product&, cudaStream_t);
};

/// Small whole numbers as bf16: sums are exact, whatever their order.
std::vector<std::uint16_t> small_values(int count, unsigned seed) {
  std::vector<std::uint16_t> values;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<std::uint16_t>(hopper::rounded(static_cast<float>(seed >> 28) - 8)));
  }
  return values;
}
float wide(std::uint16_t value) { return std::bit_cast<float>(std::uint32_t{value} << 16); }

class BlackwellRungs : public testing::TestWithParam<Rung> {
 protected:
  void expect_product(const Size& size) {
    SCOPED_TRACE(std::to_string(size.m) + " x " + std::to_string(size.n) + " x " + std::to_string(size.k));
    constexpr std::uint16_t kPoison = 0x7fa5;
    constexpr std::size_t kGuard = 1024;  // elements behind D that must stay as they are
    const auto a = small_values(size.m * size.k, 1), b = small_values(size.n * size.k, 2);
    const auto elements = static_cast<std::size_t>(size.m) * static_cast<std::size_t>(size.n);
    // 16-byte stores: the vector's memory begins at a multiple of that.
    std::vector<std::uint16_t> d(elements + kGuard, kPoison);
    ASSERT_NO_THROW(GetParam().multiply({a.data(), b.data(), d.data(), size.m, size.n, size.k}, nullptr));
    int wrong = 0;
    for (int i = 0; i < size.m; ++i) {
      for (int j = 0; j < size.n; ++j) {
        float sum = 0;
        for (int k = 0; k < size.k; ++k)
          sum += wide(a[static_cast<std::size_t>(i * size.k + k)]) *
                 wide(b[static_cast<std::size_t>(j * size.k + k)]);
        wrong += !(wide(d[static_cast<std::size_t>(i * size.n + j)]) ==
                   wide(static_cast<std::uint16_t>(hopper::rounded(sum))));
      }
    }
    EXPECT_EQ(wrong, 0) << "of " << elements;
    for (std::size_t i = elements; i < d.size(); ++i) ASSERT_EQ(d[i], kPoison) << "behind D";
  }
};

TEST_P(BlackwellRungs, GiveTheProduct) {
  expect_product({1, 8, 8});        // less than a tile and a step
  expect_product({128, 256, 64});   // one of each
  expect_product({257, 264, 520});  // ends within both; rings turn more than once
}

/// Each block has several tiles, so that sums are used in turn and more than once.
TEST_P(BlackwellRungs, GiveItOverManyTiles) { expect_product({520, 776, 72}); }

std::string name_of(const testing::TestParamInfo<Rung>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, BlackwellRungs,
                         testing::Values(Rung{"one_step", one_step}, Rung{"ring", ring},
                                         Rung{"large_tile", large_tile}, Rung{"specialised", specialised},
                                         Rung{"overlapped", overlapped}, Rung{"tma_store", tma_store},
                                         Rung{"launch_control", launch_control}, Rung{"pair", pair}),
                         name_of);

}  // namespace
}  // namespace aisp::blackwell_matmul
