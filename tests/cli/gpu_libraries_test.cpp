// SPDX-License-Identifier: Apache-2.0
// What `aisp doctor` says of the libraries that GPU code loads while it runs.
#include <gtest/gtest.h>

#include "aisp/cli/hardware.h"

namespace aisp::cli {
namespace {

TEST(GpuLibraries, EachThatIsMissingIsNamedWithWhereItWasLookedFor) {
  const std::vector<Fact> missing{{"cuBLASLt", "libcublasLt.so.13 is not in /usr/local/cuda/lib64"},
                                  {"CUPTI", std::nullopt}};
  const std::vector<probes::Advice> advice = advice_on_libraries(missing);
  ASSERT_EQ(advice.size(), 2u) << "and nothing says that they were found";
  EXPECT_EQ(advice[0].finding, "cuBLASLt: libcublasLt.so.13 is not in /usr/local/cuda/lib64");
  EXPECT_EQ(advice[1].finding, "CUPTI: not found");
  for (const probes::Advice& each : advice) {
    EXPECT_EQ(each.subject, "GPU library");
    EXPECT_EQ(each.status, probes::Health::warn) << "results stay valid without it: never bad";
    EXPECT_NE(each.action, "");
  }
}

TEST(GpuLibraries, OneLineSaysThatAllWereFound) {
  const std::vector<probes::Advice> advice = advice_on_libraries({});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].subject, "GPU libraries");
  EXPECT_EQ(advice[0].status, probes::Health::ok);
  EXPECT_EQ(advice[0].action, "");
}

}  // namespace
}  // namespace aisp::cli
