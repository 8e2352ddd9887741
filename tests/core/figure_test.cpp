// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/figure.h"

#include <gtest/gtest.h>

namespace aisp {
namespace {

TEST(Figure, OneForEachVariantThatRan) {
  CellResult cell;
  cell.variants.resize(3);
  cell.variants[0].name = "library";
  cell.variants[0].rung = Rung::anchor;
  cell.variants[1].name = "naive";
  cell.variants[2].name = "avx512";
  cell.variants[2].skipped = "this CPU has no AVX-512";
  const std::vector<Figure> figures = figures_of(cell);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_FALSE(figures[0].baseline) << "an anchor is none";
  EXPECT_TRUE(figures[1].baseline);
}

TEST(Figure, ACellTimedAsGraphsHasNoneThatOthersAreComparedWith) {
  CellResult cell;
  cell.variants.resize(1);
  cell.variants[0].name = "naive";
  cell.variants[0].evidence.timing.instrument = Instrument::isolated;
  EXPECT_EQ(figures_of(cell).size(), 1u);
  cell.variants[0].evidence.timing.instrument = Instrument::graph;
  EXPECT_TRUE(figures_of(cell).empty());
}

TEST(Figure, AGainOverARejectedBaselineIsNone) {
  CellResult cell;
  cell.variants.resize(2);
  cell.variants[1].speedup = RatioEstimate{.ratio = 2, .low = 1.9, .high = 2.1};
  const auto gain = [&](Validity baseline, Validity variant) {
    cell.variants[0].validity = baseline;
    cell.variants[1].validity = variant;
    return figures_of(cell)[1].gain.has_value();
  };
  EXPECT_TRUE(gain(Validity::valid, Validity::valid));
  EXPECT_FALSE(gain(Validity::unproven, Validity::valid));
  EXPECT_FALSE(gain(Validity::invalid, Validity::valid));
  EXPECT_TRUE(gain(Validity::unproven, Validity::unproven));
}

TEST(Figure, ParametersByName) {
  EXPECT_EQ(parameter("n=1024 threads=2", "n"), 1024);
  EXPECT_EQ(parameter("n=1024 threads=2", "threads"), 2);
  EXPECT_EQ(parameter("rows=8 n=4", "n"), 4);
  EXPECT_EQ(parameter("nn=8", "n"), std::nullopt);
  EXPECT_EQ(parameter("n=8x", "n"), std::nullopt);
  EXPECT_EQ(parameter("n=", "n"), std::nullopt);
  EXPECT_EQ(parameter("", "n"), std::nullopt);
}

}  // namespace
}  // namespace aisp
