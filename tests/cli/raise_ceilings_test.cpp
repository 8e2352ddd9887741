// SPDX-License-Identifier: Apache-2.0
// What a workload reached counts only when it is believed.
#include "aisp/cli/raise_ceilings.h"

#include <gtest/gtest.h>

#include "tests/plugins/doubling.h"

namespace aisp::cli {
namespace {

const Registration registered{plugins::doubling("made/up", "fast", plugins::honest)};

struct Measured {
  Ceilings ceilings{
      .entries = {{.name = "read", .level = "memory", .threads = 1, .value = 1e10, .unit = "B/s"}}};
  CellResult cell;
  Measured(double percent, Validity validity) {
    cell.workload = "made/up";
    VariantResult& v = cell.at("fast");
    v.percent_of_ceiling = percent;
    v.ceiling = floor_of({.bytes = 1e6, .traffic = Traffic::read}, 1e6, 1, ceilings)->bound;
    v.validity = validity;
  }
};

TEST(RaiseCeilings, ByWhatAValidVariantReached) {
  Measured fast(110, Validity::valid);
  EXPECT_TRUE(raise_ceilings(fast.cell, fast.ceilings));
  EXPECT_NEAR(fast.ceilings.entries[0].value, 1.1e10, 1);
  EXPECT_EQ(fast.ceilings.entries[0].probe, "made/up fast");
}

TEST(RaiseCeilings, NotByARejectedOrSlowerOne) {
  Measured invalid(110, Validity::invalid), slower(90, Validity::valid);
  EXPECT_FALSE(raise_ceilings(invalid.cell, invalid.ceilings));
  EXPECT_FALSE(raise_ceilings(slower.cell, slower.ceilings));
  EXPECT_EQ(slower.ceilings.entries[0].value, 1e10);
}

TEST(RaiseCeilings, SeveralVariantsDoNotMultiply) {
  Measured two(110, Validity::valid);
  two.cell.variants.push_back(two.cell.variants[0]);
  EXPECT_TRUE(raise_ceilings(two.cell, two.ceilings));
  EXPECT_NEAR(two.ceilings.entries[0].value, 1.1e10, 1);
}

Ceiling reading(double value, const std::string& probe) {
  return {.name = "read", .level = "memory", .threads = 1, .value = value, .unit = "B/s", .probe = probe};
}

TEST(CarryOver, KeepsWhatAWorkloadReachedWhereItIsMore) {
  const std::string by = "made/up fast";
  Ceilings fresh{.entries = {reading(1e10, "avx2")}};
  carry_over({.entries = {reading(1.2e10, by)}}, fresh);
  EXPECT_EQ(fresh.entries[0].value, 1.2e10);
  EXPECT_EQ(fresh.entries[0].probe, by);
  EXPECT_TRUE(raised_by_workload(fresh.entries[0]));
  fresh = {.entries = {reading(1.3e10, "avx2")}};
  carry_over({.entries = {reading(1.2e10, by)}}, fresh);
  EXPECT_EQ(fresh.entries[0].value, 1.3e10);
  EXPECT_FALSE(raised_by_workload(fresh.entries[0]));
}

TEST(CarryOver, ForgetsProbesAndPlugins) {
  Ceilings fresh{.entries = {reading(1e10, "avx2")}};
  for (const char* by : {"avx512, 4 streams, 65536 KiB a thread", "pace/fast same"}) {
    carry_over({.entries = {reading(1.2e10, by)}}, fresh);
    EXPECT_EQ(fresh.entries[0].value, 1e10) << by;
  }
}

}  // namespace
}  // namespace aisp::cli
