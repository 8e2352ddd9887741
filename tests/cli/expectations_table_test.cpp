// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/expectations_table.h"

#include <sstream>

#include <gtest/gtest.h>

#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

std::vector<ExpectedLine> long_lines() {
  std::vector<ExpectedLine> lines;
  for (const char* size : {"experts=256 tokens=4096 hidden=7168 top=8 capacity=1024",
                           "experts=256 tokens=4096 hidden=7168 top=8 capacity=2048"}) {
    ExpectedLine line{.expected = {.workload = "ch15/expert_routing",
                                   .parameters = size,
                                   .device = "cuda",
                                   .variant = "sorted_then_gathered_by_blocks",
                                   .best = true,
                                   .validity = Validity::valid,
                                   .speedup = Estimate{1.2511, 1.2470, 1.2521}},
                      .date = "2026-11-18",
                      .now = Estimate{1.1830, 1.1796, 1.1840}};
    line.standing = report::Standing::worse;
    lines.push_back(line);
  }
  return lines;
}

std::string table(int width) {
  return expectations_table(long_lines(), "NVIDIA H200", {.min_speedup = 1.05, .width = width});
}

int widest(const std::string& text) {
  int most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) most = std::max(most, report::display_width(line));
  return most;
}

TEST(ExpectationsTable, FitsTheTerminalAndCutsNoSize) {
  EXPECT_GT(widest(table(1000)), 120) << "the lines are long enough to ask for it";
  for (const int width : {120, 100}) {
    const std::string text = table(width);
    EXPECT_LE(widest(text), width) << text;
    for (const ExpectedLine& line : long_lines())
      EXPECT_NE(text.find(line.expected.parameters), std::string::npos) << text;
  }
  EXPECT_NE(table(1000).find("2026-11-18"), std::string::npos) << "dates where there is room";
}

TEST(ExpectationsTable, SizesGoByTheirNumbers) {
  EXPECT_TRUE(size_before("n=512", "n=4096"));
  EXPECT_FALSE(size_before("n=4096", "n=512"));
  EXPECT_FALSE(size_before("n=512", "n=512"));
  EXPECT_TRUE(size_before("n=512", "n=512 k=1"));
  EXPECT_TRUE(size_before("n=512 k=9", "n=512 k=10"));
  EXPECT_TRUE(size_before("k=100", "n=1"));
  EXPECT_TRUE(size_before("n=007", "n=8"));
}

}  // namespace
}  // namespace aisp::cli
