// SPDX-License-Identifier: Apache-2.0
// The race of configurations, on made-up measurements: who goes on, who goes and why, and what counts when it
// is stopped. Real measurements are in tests/integration/tune_test.cpp.
#include "aisp/harness/tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace aisp::harness {
namespace {

/// What the made-up harness says of a value.
struct Truth {
  double ratio = 1;
  double width = 0.01;  ///< of its interval, on either side
  Validity validity = Validity::valid;
  std::string skipped = {};
  std::string rejected_by = {};
};

class Tuning : public ::testing::Test {
 protected:
  void declare(std::map<std::int64_t, Truth> truths) {
    truths_ = std::move(truths);
    Tunable tile{.name = "tile", .values = {}, .fallback = 0};
    tile.values.push_back(0);
    for (const auto& [value, truth] : truths_) tile.values.push_back(value);
    cell_.workload.id = "test/tiles";
    cell_.workload.variants = {{.name = "plain"}, {.name = "tiled", .tunables = {tile}}};
    cell_.params = {{"n", 64}};
  }

  Result<CellResult> measure(const PlannedCell& cell, double seconds) {
    cells_.emplace_back(seconds, cell.workload.variants.size() - 1);
    CellResult result;
    result.stopped = interrupt_at_ == static_cast<int>(cells_.size()) ? "interrupted" : "time";
    EXPECT_EQ(cell.workload.variants.front().name, "tiled") << "the fallbacks are the baseline";
    for (const VariantInfo& variant : cell.workload.variants) {
      VariantResult& row = result.at(variant.name);
      row.validity = Validity::valid;
      const std::int64_t value = variant.tunables.front().fallback;
      if (value == 0) {
        row.validity = fallbacks_;
        row.findings = {{.guard = "little_steal", .level = Level::reject, .because = "a busy neighbour"}};
        if (fallbacks_ == Validity::invalid && --disturbed_ < 0) row.validity = Validity::valid;
        continue;
      }
      const Truth& truth = truths_.at(value);
      row.validity = truth.validity;
      row.skipped = truth.skipped;
      if (!truth.rejected_by.empty())
        row.findings = {{.guard = truth.rejected_by, .level = Level::reject, .because = "7 of 7 wrong"}};
      row.speedup =
          RatioEstimate{.ratio = truth.ratio,
                        .low = truth.ratio - truth.width,
                        .high = truth.ratio + truth.width,
                        .outcome = truth.width < 0.001 ? Outcome::equivalent : Outcome::inconclusive};
    }
    return result;
  }

  Result<TuningSearch> search(int stop_after = 1000) {
    return search_configurations(
        {.cell = cell_,
         .variant = "tiled",
         .measure = [this](const PlannedCell& cell, double seconds) { return measure(cell, seconds); },
         .first_seconds = 1,
         .stop = [this, stop_after] { return static_cast<int>(cells_.size()) >= stop_after; }});
  }
  static const Contender& of(const TuningSearch& search, const std::string& name) {
    return *std::ranges::find(search.contenders, name, &Contender::name);
  }

  PlannedCell cell_;
  std::map<std::int64_t, Truth> truths_;
  std::vector<std::pair<double, std::size_t>>
      cells_;  ///< seconds and configurations of each that was measured
  Validity fallbacks_ = Validity::valid;
  int disturbed_ = 0;  ///< cells in which the fallbacks are rejected
  int interrupt_at_ = 0;
};

TEST_F(Tuning, HalvesTheFieldAndDoublesTheTimeUntilOneIsLeft) {
  declare({{1, {1.01, 1}}, {2, {1.02, 1}}, {3, {1.03, 1}}, {4, {1.04, 1}}, {5, {1.05, 1}}});
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "tiled@tile=5");
  EXPECT_EQ(cells_, (std::vector<std::pair<double, std::size_t>>{{1, 5}, {2, 3}, {4, 2}}));
  EXPECT_EQ(of(*found, "tiled@tile=1").why, "in the slower half");
}

TEST_F(Tuning, WhatIsSurelyBehindGoesAtOnce) {
  declare({{1, {0.5}}, {2, {1.2}}, {3, {1.5}}, {4, {1.21}}});
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "tiled@tile=3");
  EXPECT_EQ(cells_.size(), 1u) << "nobody was left to race against";
  EXPECT_EQ(of(*found, "tiled@tile=1").why, "surely slower than the declared values");
  EXPECT_EQ(of(*found, "tiled@tile=2").why, "surely slower than tiled@tile=3");
}

TEST_F(Tuning, WrongAndCrashingOnesAreThrownOutHoweverFast) {
  declare({{1, {.ratio = 9, .validity = Validity::invalid, .rejected_by = "answer_right"}},
           {2, {.ratio = 8, .validity = Validity::failed, .rejected_by = "worker"}},
           {3, {.ratio = 7, .skipped = "no such device"}},
           {4, {1.1}}});
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "tiled@tile=4");
  EXPECT_EQ(of(*found, "tiled@tile=1").fate, Fate::thrown_out);
  EXPECT_EQ(of(*found, "tiled@tile=1").why, "answer_right: 7 of 7 wrong");
  EXPECT_EQ(of(*found, "tiled@tile=2").fate, Fate::thrown_out);
  EXPECT_EQ(of(*found, "tiled@tile=3").fate, Fate::pruned);
  EXPECT_EQ(of(*found, "tiled@tile=3").why, "no such device");
}

TEST_F(Tuning, NothingFasterMeansThatTheFallbacksStay) {
  declare({{1, {0.99, 0.1}}, {2, {0.98, 0.1}}});
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "");
  EXPECT_FALSE(found->cut_short);
  EXPECT_EQ(of(*found, "tiled@tile=1").why, "no faster than the declared values");
}

TEST_F(Tuning, WhatIsEquivalentIsNotWorthJudging) {
  declare({{1, {1.0001, 0.0005}}});
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "");
  EXPECT_EQ(of(*found, "tiled@tile=1").why, "not faster than the declared values by enough to matter");
}

TEST_F(Tuning, MoreThanShareARoundAreRacedInGroups) {
  std::map<std::int64_t, Truth> many;
  for (int i = 1; i <= 20; ++i) many[i] = {1 + i / 100.0, 1};
  declare(many);
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "tiled@tile=20");
  EXPECT_EQ(cells_[0], (std::pair<double, std::size_t>{1, 16}));
  EXPECT_EQ(cells_[1], (std::pair<double, std::size_t>{1, 4}));
  EXPECT_EQ(cells_[2], (std::pair<double, std::size_t>{2, 10}));
}

TEST_F(Tuning, WhatIsKnownCountsWhenTimeIsUp) {
  declare({{1, {1.1, 1}}, {2, {1.2, 1}}, {3, {1.3, 1}}, {4, {1.4, 1}}});
  const auto found = search(1);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->cut_short);
  EXPECT_EQ(found->winner, "tiled@tile=4");
  EXPECT_EQ(of(*found, "tiled@tile=3").fate, Fate::running);
  const auto none = search(0);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->winner, "");
  EXPECT_EQ(of(*none, "tiled@tile=4").fate, Fate::untried);
}

TEST_F(Tuning, AnInterruptedCellIsNotBelieved) {
  declare({{1, {1.1, 1}}, {2, {1.2, 1}}});
  interrupt_at_ = 1;
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->cut_short);
  EXPECT_EQ(found->winner, "");
}

TEST_F(Tuning, FallbacksThatAreRejectedOnceAreMeasuredAgain) {
  declare({{1, {1.5}}});
  fallbacks_ = Validity::invalid;
  disturbed_ = 1;
  const auto found = search();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->winner, "tiled@tile=1");
  EXPECT_EQ(cells_.size(), 2u);
  disturbed_ = 2;
  const auto refused = search();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("little_steal: a busy neighbour"), std::string::npos);
  fallbacks_ = Validity::failed;
  const auto failed = search();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::workload);
}

TEST_F(Tuning, AVariantWithoutParametersIsNothingToSearch) {
  declare({{1, {1.5}}});
  cell_.workload.variants[1].tunables.clear();
  EXPECT_FALSE(search());
}

}  // namespace
}  // namespace aisp::harness
