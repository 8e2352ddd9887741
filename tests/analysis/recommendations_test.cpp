// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/recommendations.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

/// The fast one at this share of a ceiling.
std::vector<Figure> at(double percent) {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}});
  figures[1].percent_of_ceiling = percent;
  figures[1].ceiling = "read bandwidth";
  return figures;
}

std::vector<std::string> rules(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const Advice& advice : recommendations(figures)) names.push_back(advice.rule);
  return names;
}

using Rules = std::vector<std::string>;

TEST(Recommendations, FollowTheCeiling) {
  EXPECT_EQ(rules(at(92)), Rules{"at the ceiling"});
  EXPECT_EQ(rules(at(20)), Rules{"room below the ceiling"});
  EXPECT_EQ(rules(at(65)), Rules{}) << "neither done nor far off";
  const Advice far = recommendations(at(20)).at(0);
  EXPECT_EQ(far.because, "it reaches 20 % of read bandwidth");
  EXPECT_DOUBLE_EQ(far.room->value, 5);
  EXPECT_EQ(far.variant, "fast");
}

// 50 ns with 2 % to either side, [49, 51], where the ceiling allows 10 or 46 ns.
TEST(Recommendations, GiveRoomTheIntervalOfItsTime) {
  const Advice far = recommendations(at(20)).at(0), done = recommendations(at(92)).at(0);
  EXPECT_DOUBLE_EQ(far.room->low, 4.9);
  EXPECT_DOUBLE_EQ(far.room->high, 5.1);
  EXPECT_DOUBLE_EQ(done.room->low, 49 / 46.0);
  EXPECT_DOUBLE_EQ(done.room->high, 51 / 46.0);
  auto timeless = at(20);
  timeless[1].time_ns.reset();
  const Advice bare = recommendations(timeless).at(0);
  EXPECT_EQ(bare.room->low, bare.room->high) << "none is made up";
}

// made_up.h has figures of a GPU.
TEST(Recommendations, NameNoThreadsOfAGpu) {
  for (const double percent : {20.0, 92.0}) {
    auto figures = at(percent);
    figures[1].ceiling = "copy of memory, 1 thread";
    EXPECT_TRUE(recommendations(figures).at(0).because.ends_with(" % of copy of memory"));
    for (Figure& figure : figures) figure.device = "cpu";
    EXPECT_TRUE(recommendations(figures).at(0).because.ends_with(" % of copy of memory, 1 thread"));
  }
}

TEST(Recommendations, FollowTheBound) {
  std::vector<std::string> actions;
  for (const Bound bound : {Bound::memory, Bound::compute, Bound::cache}) {
    for (const double percent : {10.0, 95.0}) {
      auto figures = at(percent);
      for (Figure& figure : figures) figure.bound = bound;
      actions.push_back(recommendations(figures).at(0).action);
    }
  }
  for (const Bound bound : {Bound::latency, Bound::synchronisation, Bound::io}) {
    auto figures = at(1);
    for (Figure& figure : figures) figure.bound = bound;
    const Advice advice = recommendations(figures).at(0);
    EXPECT_EQ(advice.rule, "bound by waiting");
    EXPECT_FALSE(advice.room) << "a ceiling of bytes says nothing about it";
    actions.push_back(advice.action);
  }
  std::ranges::sort(actions);
  EXPECT_EQ(std::ranges::adjacent_find(actions), actions.end()) << "each has its own";
}

TEST(Recommendations, DoNotSpeakOfTimeWhereMemoryIsTheGoal) {
  auto figures = at(5);
  for (Figure& figure : figures) figure.goal = Goal::memory;
  EXPECT_EQ(rules(figures), Rules{});
}

// On a CPU 500 and 400 KiB are the same as far as pages tell; 8 MiB and 400 KiB are not, but attempts differ.
TEST(Recommendations, AskForNoMoreTimeWhereMemoryIsTheGoal) {
  auto figures = contest("n=1", {{"base", 100}, {"loose", 80}});
  for (Figure& figure : figures) {
    figure.goal = Goal::memory;
    figure.device = "cpu";
  }
  figures[1].gain = Estimate{1.25, 0.7, 2.3};
  figures[1].peak_bytes = 400 * 1024;
  const auto action = [&](double base_peak) {
    figures[0].peak_bytes = base_peak;
    const Advice advice = recommendations(figures).at(1);
    EXPECT_EQ(advice.rule, "not told apart");
    EXPECT_EQ(advice.because, "it looks better than the baseline, 1.25x [0.7, 2.3], which is not proven");
    return advice.action;
  };
  EXPECT_NE(action(500 * 1024).find("pages cannot tell them apart"), std::string::npos);
  EXPECT_NE(action(8192 * 1024).find("from attempt to attempt"), std::string::npos);
  figures[1].goal = figures[0].goal = Goal::latency;
  EXPECT_EQ(recommendations(figures).at(1).action, "run it again with more --cell-seconds");
}

TEST(Recommendations, FollowTheCounters) {
  auto figures = at(65);
  figures[1].bytes = 100;
  figures[1].traffic_bytes = 250;
  ASSERT_EQ(rules(figures), Rules{"more traffic than needed"});
  EXPECT_EQ(recommendations(figures)[0].because,
            "its memory counters show 2.50 times the bytes that the work needs");
  figures[1].traffic_bytes = 110;
  EXPECT_EQ(rules(figures), Rules{});
}

TEST(Recommendations, NameALibraryThatIsSurelyBetter) {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"lib", 25}});
  figures[1].percent_of_ceiling = 65;
  figures[2].rung = Rung::anchor;
  ASSERT_EQ(rules(figures), Rules{"a library is better"});
  EXPECT_EQ(recommendations(figures)[0].because, "'lib' is 2.00 times as good");
  figures[2].gain = about(2.02, 0.02);
  EXPECT_EQ(rules(figures), Rules{}) << "the intervals overlap";
}

// 4 times as good as a slower baseline of another day is no reason to prefer it.
TEST(Recommendations, CompareGainsOverOneBaseline) {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"lib", 25}});
  figures[1].percent_of_ceiling = 65;
  figures[2].rung = Rung::anchor;
  figures[2].against = "older";
  EXPECT_EQ(rules(figures), Rules{});
  figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"old", 10}});
  figures[1].percent_of_ceiling = 20;
  figures[2].against = "older";
  EXPECT_EQ(recommendations(figures).at(0).variant, "fast") << "the best over the baseline that is there";
}

TEST(Recommendations, SayWhenNothingIsGained) {
  auto figures = contest("n=1", {{"base", 100}, {"other", 101}});
  for (Figure& figure : figures) figure.percent_of_ceiling = 65;
  EXPECT_EQ(rules(figures), Rules{"no gain here"});
}

// loose looks best and may be a loss; fast is surely 2 times as good.
TEST(Recommendations, AreAboutTheBestThatIsProven) {
  auto figures = contest("n=1", {{"base", 100}, {"loose", 20}, {"fast", 50}, {"slow", 80}});
  figures[1].gain = Estimate{5, 0.2, 640};
  for (Figure& figure : figures) figure.percent_of_ceiling = 20;
  for (const double highest : {640.0, HUGE_VAL}) {
    figures[1].gain->high = highest;
    const auto all = recommendations(figures);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].rule, "room below the ceiling");
    EXPECT_EQ(all[0].variant, "fast");
    EXPECT_EQ(all[1].rule, "worth measuring longer");
    EXPECT_EQ(all[1].variant, "loose");
    EXPECT_EQ(all[1].because,
              highest < 1000 ? "it looks better than 'fast', 5x [0.2, 640], which is not proven"
                             : "it looks better than 'fast', 5x without an interval, which is not proven");
  }
  figures[1].gain = Estimate{1.9, 0.2, 640};
  EXPECT_EQ(rules(figures), Rules{"room below the ceiling"}) << "it does not even look better";
}

TEST(Recommendations, KeepTheBaselineWhereNothingIsProven) {
  auto figures = contest("n=1", {{"base", 100}, {"loose", 20}});
  figures[1].gain = Estimate{5, 0.2, 640};
  for (Figure& figure : figures) figure.percent_of_ceiling = 65;
  const auto all = recommendations(figures);
  ASSERT_EQ(rules(figures), (Rules{"no gain here", "worth measuring longer"}));
  EXPECT_EQ(all[0].variant, "base");
  EXPECT_EQ(all[0].action, "keep the baseline here until one is");
  EXPECT_EQ(all[1].because, "it looks better than the baseline, 5x [0.2, 640], which is not proven");
}

// Which of the libraries is surely better does not depend on one that was measured badly.
TEST(Recommendations, ALooseLibraryHidesNoSureOne) {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"lib", 25}, {"wild", 10}});
  figures[1].percent_of_ceiling = 65;
  figures[2].rung = figures[3].rung = Rung::anchor;
  figures[3].gain = Estimate{10, 0.1, 1000};
  ASSERT_EQ(rules(figures), Rules{"a library is better"});
  EXPECT_EQ(recommendations(figures)[0].because, "'lib' is 2.00 times as good");
}

TEST(Recommendations, SayWhatIsMissing) {
  EXPECT_EQ(rules(contest("n=1", {{"base", 100}, {"fast", 50}})), Rules{"no ceiling"});
  auto figures = at(65);
  figures[0].validity = Validity::unproven;
  EXPECT_EQ(rules(figures), Rules{"not valid"});
  EXPECT_TRUE(recommendations({}).empty());
}

TEST(Recommendations, ValidVariantsThatDoNotCompeteNeedNoMending) {
  auto figures = joined(at(65), contest("n=1", {{"base+a", 40}, {"other", 60}}));
  figures[2].baseline = false;
  figures[3].rung = Rung::informational;
  EXPECT_EQ(rules(figures), Rules{});
  figures[2].validity = Validity::invalid;
  ASSERT_EQ(rules(figures), Rules{"not valid"});
  EXPECT_EQ(recommendations(figures)[0].variant, "base+a");
  EXPECT_EQ(recommendations(figures)[0].because, "it is invalid");
}

TEST(Recommendations, PointToTheRunTheyComeFrom) {
  auto figures = at(65);
  figures[0].validity = Validity::unproven;
  figures[0].run = "20261116-072226-f7c7";
  const Advice advice = recommendations(figures).at(0);
  EXPECT_EQ(advice.run, "20261116-072226-f7c7");
  EXPECT_NE(advice.action.find("`aisp show 20261116-072226-f7c7`"), std::string::npos) << advice.action;
  EXPECT_EQ(recommendations(at(20)).at(0).run, "r1");
}

TEST(Recommendations, ThatAreTheSameAreSaidOnce) {
  auto other = at(20);
  for (Figure& figure : other) figure.parameters = "n=2";
  auto unlike = at(30);
  for (Figure& figure : unlike) figure.parameters = "n=3";
  const auto all = recommendations(joined(joined(at(20), unlike), other));
  ASSERT_EQ(all.size(), 3u);
  const auto once = said_once(all);
  ASSERT_EQ(once.size(), 2u);
  ASSERT_EQ(once[0].size(), 2u);
  EXPECT_EQ(once[0][0]->where.parameters, "n=1");
  EXPECT_EQ(once[0][1]->where.parameters, "n=2");
  EXPECT_EQ(once[1][0]->where.parameters, "n=3");
}

TEST(Recommendations, MostRoomFirst) {
  auto more = at(10);
  for (Figure& figure : more) figure.parameters = "n=2";
  const auto figures = joined(at(40), more);
  EXPECT_EQ(recommendations(figures).at(0).where.parameters, "n=2");
}

}  // namespace
}  // namespace aisp::analysis
