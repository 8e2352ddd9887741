// SPDX-License-Identifier: Apache-2.0
// What derive() says of peaks of memory that pages cannot, and can, tell apart.
#include <utility>

#include <gtest/gtest.h>

#include "aisp/harness/derive.h"
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

using harness::derive;

/// A cell for memory: what two attempts of the baseline and of "other" held at most.
Fabricated held(const std::string& device, const std::vector<double>& base,
                const std::vector<double>& other) {
  Fabricated cell;
  cell.result.goal = Goal::memory;
  cell.result.device = device;
  for (const auto& [name, peaks] : {std::pair("base", base), std::pair("other", other)}) {
    VariantResult& variant = cell.add(name, 24, [](int) { return 130e3; });
    variant.memory.peak_bytes = peaks.back();
    variant.memory_peaks = peaks;
  }
  derive(cell.result, cell.config);
  return cell;
}

TEST(DeriveMemory, PagesThatEqualRunsDifferByDecideNothing) {
  const double kib = 1024;
  const Fabricated noise = held("cpu", {100 * kib, 100 * kib}, {8 * kib, 8 * kib});
  const VariantResult& other = *noise.result.find("other");
  EXPECT_EQ(other.speedup->outcome, Outcome::equivalent);
  EXPECT_EQ(other.speedup->ratio, 1);
  EXPECT_EQ(other.memory.savings_percent, 0);
  const Fabricated near = held("cpu", {700 * kib, 700 * kib}, {500 * kib, 500 * kib});
  EXPECT_EQ(near.result.find("other")->speedup->outcome, Outcome::inconclusive);
  EXPECT_EQ(near.result.find("other")->memory.savings_percent, 0);
  const Fabricated apart = held("cpu", {8192 * kib, 8192 * kib}, {8 * kib, 8 * kib});
  EXPECT_EQ(apart.result.find("other")->speedup->outcome, Outcome::faster);
  EXPECT_EQ(apart.result.find("other")->speedup->ratio, 32)
      << "no less than what cannot be told from nothing";
  EXPECT_GT(*apart.result.find("other")->memory.savings_percent, 99);
  const Fabricated exact = held("cuda:0", {100 * kib, 100 * kib}, {8 * kib, 8 * kib});
  EXPECT_EQ(exact.result.find("other")->speedup->outcome, Outcome::faster)
      << "a GPU's allocations are recorded";
  EXPECT_DOUBLE_EQ(*exact.result.find("other")->memory.savings_percent, 92);
}

}  // namespace
}  // namespace aisp::known_truth
