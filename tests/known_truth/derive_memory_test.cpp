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

// One of them is not told from nothing: its own pages are as uncertain as those of the other one.
TEST(DeriveMemory, NoSideIsCalledWherePagesCannotTellThePeaksApart) {
  const double kib = 1024;
  for (const auto& [base, other] : {std::pair(400, 200), std::pair(500, 250), std::pair(250, 400)}) {
    const Fabricated cell = held("cpu", {base * kib, base * kib}, {other * kib, other * kib});
    const VariantResult& variant = *cell.result.find("other");
    EXPECT_EQ(variant.speedup->outcome, Outcome::inconclusive) << base << " KiB, then " << other;
    EXPECT_LT(variant.speedup->low, 1);
    EXPECT_GT(variant.speedup->high, 1);
    EXPECT_EQ(variant.memory.savings_percent, 0);
  }
  const Fabricated none = held("cpu", {8 * kib, 256 * kib}, {200 * kib, 100 * kib});
  EXPECT_EQ(none.result.find("other")->speedup->low, 1) << "neither is told from nothing";
  EXPECT_EQ(none.result.find("other")->speedup->high, 1);
  const Fabricated less = held("cpu", {600 * kib, 600 * kib}, {200 * kib, 200 * kib});
  EXPECT_EQ(less.result.find("other")->speedup->outcome, Outcome::faster);
  const Fabricated more = held("cpu", {200 * kib, 200 * kib}, {600 * kib, 600 * kib});
  EXPECT_EQ(more.result.find("other")->speedup->outcome, Outcome::slower);
}

}  // namespace
}  // namespace aisp::known_truth
