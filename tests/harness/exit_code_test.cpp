// SPDX-License-Identifier: Apache-2.0
// Over several cells the first of 70, 8, 1, 4, 9, 0 that occurred is the exit code.
#include "aisp/core/exit_code.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace aisp {
namespace {

CellResult cell(Validity validity, Outcome outcome = Outcome::faster) {
  CellResult result;
  result.variants.push_back({.name = "base", .validity = Validity::valid});
  result.variants.push_back({.name = "other", .validity = validity});
  result.variants[1].speedup = RatioEstimate{.against = "base", .ratio = 1.5, .outcome = outcome};
  return result;
}

TEST(ExitCode, OneCell) {
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::valid)}), 0);
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::valid, Outcome::slower)}), 0);
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::valid, Outcome::inconclusive)}), 9);
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::unproven)}), 4);
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::invalid)}), 1);
  EXPECT_EQ(exit_code_of(std::vector{cell(Validity::failed)}), 8);
  EXPECT_EQ(exit_code_of({}), 0);
}

TEST(ExitCode, TheFirstInTheOrderWinsWhereverItStands) {
  const std::vector<std::pair<int, CellResult>> by_rank{{8, cell(Validity::failed)},
                                                        {1, cell(Validity::invalid)},
                                                        {4, cell(Validity::unproven)},
                                                        {9, cell(Validity::valid, Outcome::inconclusive)},
                                                        {0, cell(Validity::valid)}};
  for (std::size_t a = 0; a < by_rank.size(); ++a) {
    for (std::size_t b = 0; b < by_rank.size(); ++b) {
      const std::vector cells{by_rank[a].second, by_rank[b].second};
      EXPECT_EQ(exit_code_of(cells), by_rank[std::min(a, b)].first) << a << " " << b;
    }
  }
}

TEST(ExitCode, ARefusalIsWeighedAgainstWhatTheRowsSay) {
  const std::vector<int> by_rank{70, 8, 1, 3, 4, 9, 0};
  for (std::size_t a = 0; a < by_rank.size(); ++a) {
    for (std::size_t b = 0; b < by_rank.size(); ++b)
      EXPECT_EQ(worse_exit(by_rank[a], by_rank[b]), by_rank[std::min(a, b)]) << a << " " << b;
  }
}

TEST(ExitCode, AVariantThatCannotRunHereCountsForNothing) {
  CellResult skipped = cell(Validity::valid);
  skipped.variants.push_back({.name = "avx512", .skipped = "the processor lacks AVX-512"});
  EXPECT_EQ(exit_code_of(std::vector{skipped}), 0);
}

}  // namespace
}  // namespace aisp
