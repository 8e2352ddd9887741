// SPDX-License-Identifier: Apache-2.0
// What a workload reached counts only when it is believed.
#include "aisp/cli/raise_ceilings.h"

#include <gtest/gtest.h>

namespace aisp::cli {
namespace {

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

}  // namespace
}  // namespace aisp::cli
