// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/counters.h"

#include <gtest/gtest.h>

namespace aisp::device {
namespace {

TEST(Counters, OnlyWhatIsKnownHasAName) {
  Counters seen;
  seen.dram_read_bytes = 4096;
  seen.occupancy = 0;
  seen.stalls = {{"barrier", 0.5}, {"misc", 0.1}};
  const std::vector<std::pair<std::string, double>> expected{
      {"dram_read_bytes", 4096}, {"occupancy", 0}, {"stall: barrier", 0.5}, {"stall: misc", 0.1}};
  EXPECT_EQ(named(seen), expected);
  EXPECT_TRUE(named({}).empty());
}

}  // namespace
}  // namespace aisp::device
