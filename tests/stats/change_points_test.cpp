// SPDX-License-Identifier: Apache-2.0
// Change points against histories whose truth is known. The figures printed here are those of
// docs/design/history.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include "aisp/stats/energy_split.h"
#include "aisp/stats/segments.h"
#include "aisp/stats/shuffled_splits.h"
#include "tests/stats/corpus_score.h"
#include "tests/stats/known_histories.h"

namespace aisp::stats {
namespace {

/// The p-value of Mann and Whitney's test, by its normal approximation.
double two_sample_p(std::span<const double> a, std::span<const double> b) {
  double above = 0;
  for (const double x : a)
    for (const double y : b) above += x < y ? 1 : x == y ? 0.5 : 0;
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double deviation = std::sqrt(n * m * (n + m + 1) / 12);
  return std::erfc((std::abs(above - n * m / 2) - 0.5) / deviation / std::sqrt(2.0));
}

/// Of a step, its level before and behind: the values up to the neighbouring true steps.
double p_at_the_true_place(const KnownHistory& history, std::size_t step) {
  const std::span<const double> values = history.log_values;
  const std::size_t at = history.steps[step].at, from = step == 0 ? 0 : history.steps[step - 1].at;
  const std::size_t to = step + 1 == history.steps.size() ? values.size() : history.steps[step + 1].at;
  return two_sample_p(values.subspan(from, at - from), values.subspan(at, to - at));
}

std::vector<double> levels(std::initializer_list<std::pair<int, double>> parts) {
  std::vector<double> values;
  for (const auto& [count, level] : parts) {
    for (int i = 0; i < count; ++i) values.push_back(level + 0.001 * ((i * 7) % 5));
  }
  return values;
}

TEST(ChangePoints, CorpusIsWhatItsGeneratorDraws) {
  const std::vector<KnownHistory> drawn = draw_corpus();
  if (const char* update = std::getenv("AISP_UPDATE_GOLDEN"); update && std::string(update) == "1")
    std::ofstream(kCorpusFile, std::ios::binary) << to_csv(drawn);
  const std::vector<KnownHistory> kept = kept_corpus();
  ASSERT_EQ(kept.size(), drawn.size()) << kCorpusFile;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].noise, drawn[i].noise);
    ASSERT_EQ(kept[i].steps.size(), drawn[i].steps.size()) << i;
    for (std::size_t k = 0; k < kept[i].steps.size(); ++k)
      EXPECT_EQ(kept[i].steps[k].at, drawn[i].steps[k].at);
    ASSERT_EQ(kept[i].log_values.size(), drawn[i].log_values.size()) << i;
    for (std::size_t k = 0; k < kept[i].log_values.size(); ++k)
      ASSERT_NEAR(kept[i].log_values[k], drawn[i].log_values[k], 1e-4) << i;
  }
}

TEST(ChangePoints, PrecisionAndRecallOnTheCorpus) {
  CorpusScore found;
  for (const KnownHistory& history : kept_corpus())
    count(history, segments(history.log_values, {}).changes, found);
  const Share &right = found.right, &large = found.large, &small = found.small, all = found.steps();
  std::printf(
      "precision %d of %d (%.1f %%), %d of them at the very place, %d within two values; %d on slopes\n",
      right.hits, right.all, right.percent(), found.exact, found.close, found.on_slopes);
  std::printf("recall of large steps, 3 sigma and more: %d of %d (%.1f %%)\n", large.hits, large.all,
              large.percent());
  std::printf("recall of small steps, 1.5 and 2 sigma: %d of %d (%.1f %%)\n", small.hits, small.all,
              small.percent());
  std::printf("recall of all steps: %d of %d (%.1f %%)\n", all.hits, all.all, all.percent());
  for (const auto& [sigmas, share] : found.sizes)
    std::printf("  %4.1f sigma: %d of %d\n", sigmas, share.hits, share.all);
  EXPECT_GE(right.percent(), 95);
  EXPECT_GE(large.percent(), 90);
  EXPECT_GE(small.percent(), 54);
  EXPECT_GE(all.percent(), 79) << "of the whole corpus, so that no step is left out of what is held";
  EXPECT_GE(large.all, 100) << "too few to say";
  EXPECT_GE(small.all, 100) << "too few to say";
}

// A yardstick: a two-sample test that is told every true place and asked about nothing else, and the same
// one paying for not knowing which of the places it is. No bound: who lets chance cut steady histories more
// often finds more than the second (optimal_segments_test.cpp), and who knew the noise more than the first.
TEST(ChangePoints, AYardstickThatIsToldEveryPlace) {
  Share told_small, told_all, paying_small, paying_all;
  const ChangePointOptions options;
  for (const KnownHistory& history : kept_corpus()) {
    const auto places = static_cast<double>(history.log_values.size() - 2 * options.least + 1);
    for (std::size_t i = 0; i < history.steps.size(); ++i) {
      const double p = p_at_the_true_place(history, i);
      const bool small = std::abs(history.steps[i].sigmas) < kLarge;
      told_all.count(p <= options.alpha);
      paying_all.count(p <= options.alpha / places);
      if (small) told_small.count(p <= options.alpha);
      if (small) paying_small.count(p <= options.alpha / places);
    }
  }
  std::printf("told every place: %d of %d (%.1f %%), of small steps %d of %d (%.1f %%)\n", told_all.hits,
              told_all.all, told_all.percent(), told_small.hits, told_small.all, told_small.percent());
  std::printf("paying for the place: %d of %d (%.1f %%), of small steps %d of %d (%.1f %%)\n",
              paying_all.hits, paying_all.all, paying_all.percent(), paying_small.hits, paying_small.all,
              paying_small.percent());
  EXPECT_GT(told_all.percent(), 90) << "or the corpus has steps that nobody could be expected to find";
}

TEST(ChangePoints, OneInAHundredSteadyHistoriesAtMostHasAny) {
  Share alerts;
  std::map<std::string, Share> by_noise;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const KnownHistory history = draw_steady(i);
    const bool any = !segments(history.log_values, {}).changes.empty();
    by_noise[history.noise].count(any);
    alerts.count(any);
  }
  std::printf("steady histories with a change point: %d of %d\n", alerts.hits, alerts.all);
  for (const auto& [noise, share] : by_noise)
    std::printf("  %-18s %d of %d\n", noise.c_str(), share.hits, share.all);
  EXPECT_LE(alerts.percent(), 1);
}

TEST(ChangePoints, ACleanStepIsFoundWhereItIs) {
  const auto found = change_points(levels({{20, 1.0}, {15, 1.1}}), {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at, 20u);
  EXPECT_LE(found[0].p_value, 0.001);
}

TEST(ChangePoints, ALevelThatWasLeftAndTakenUpAgainHasTwo) {
  const auto found = change_points(levels({{25, 1.0}, {8, 1.2}, {25, 1.0}}), {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at, 25u);
  EXPECT_EQ(found[1].at, 33u);
}

TEST(ChangePoints, ALongSeriesWithALevelInTheMiddle) {
  const auto found = change_points(levels({{150, 1.0}, {40, 1.2}, {150, 1.0}}), {});
  ASSERT_EQ(found.size(), 2u) << "ends are tried on a grid here";
  EXPECT_EQ(found[0].at, 150u);
  EXPECT_EQ(found[1].at, 190u);
}

TEST(ChangePoints, OneValueFarOutIsNone) {
  std::vector<double> values = levels({{40, 1.0}});
  values[20] = 1e6;
  EXPECT_TRUE(change_points(values, {}).empty());
}

TEST(ChangePoints, ValuesFarOutDoNotHideAStep) {
  std::vector<double> values = levels({{30, 1.0}, {30, 1.01}});
  for (const std::size_t i : {3, 4, 11}) values[i] = 2;
  std::vector<std::int32_t> thousandths;
  for (const double value : values)
    thousandths.push_back(static_cast<std::int32_t>(std::lround(1000 * value)));
  EXPECT_NE(best_split(thousandths, 5).at, 30u) << "or ranks would not be needed";
  const auto found = change_points(values, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at, 30u);
}

TEST(ChangePoints, NothingFollowsFromTooFewOrUnknownValues) {
  EXPECT_TRUE(change_points({}, {}).empty());
  EXPECT_TRUE(change_points(levels({{4, 1.0}, {5, 2.0}}), {}).empty()) << "one value short of two sides";
  EXPECT_TRUE(change_points(levels({{30, 1.0}}), {}).empty());
  EXPECT_TRUE(change_points(std::vector<double>(60, 3.0), {}).empty()) << "all alike";
  std::vector<double> unknown = levels({{20, 1.0}, {20, 2.0}});
  unknown[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(change_points(unknown, {}).empty());
  EXPECT_TRUE(change_points(levels({{20, 1.0}, {20, 2.0}}), {.permutations = 99}).empty())
      << "99 shuffles cannot show one in a thousand";
}

TEST(ChangePoints, ComeOutTheSameEveryTime) {
  const KnownHistory history = draw_corpus()[0];
  const auto first = change_points(history.log_values, {}), second = change_points(history.log_values, {});
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].p_value, second[i].p_value);
}

TEST(ShuffledSplits, DependOnTheNumberOfValuesAloneWhereNoTwoAreEqual) {
  const std::vector<std::int32_t> one = {2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24};
  const std::vector<std::int32_t> other = {24, 2, 22, 4, 20, 6, 18, 8, 16, 10, 14, 12};
  ShuffledSplits of_one(one, {}), of_other(other, {}), alike(one, {.lag1 = 0.5});
  int as_good_alike = 0;
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(of_one.statistic(i), of_other.statistic(i));
    as_good_alike += alike.statistic(i) > of_one.statistic(i);
  }
  EXPECT_GT(as_good_alike, 300) << "neighbours that are alike make better splits by chance";
}

TEST(ShuffledSplits, TiesAreShuffledToo) {
  const std::vector<std::int32_t> tied = {11, 11, 11, 11, 11, 11, 11, 11, 11, 20};
  const double alone_at_the_end = best_split(tied, 1).statistic;
  ShuffledSplits shuffled(tied, {.least = 1});
  int as_good = 0;
  for (int i = 0; i < 1000; ++i) as_good += shuffled.statistic(i) >= 0.999 * alone_at_the_end;
  EXPECT_NEAR(as_good, 200, 60) << "the one that differs is first or last in a fifth of all orders";
}

TEST(ShuffledSplits, FewKindsOfNeighboursServeAll) {
  EXPECT_EQ(shared_lag1(-0.3), 0);
  EXPECT_EQ(shared_lag1(0), 0);
  EXPECT_DOUBLE_EQ(shared_lag1(0.01), 0.05);
  EXPECT_DOUBLE_EQ(shared_lag1(0.05), 0.05);
  EXPECT_DOUBLE_EQ(shared_lag1(0.37), 0.4);
  EXPECT_DOUBLE_EQ(shared_lag1(0.99), 0.9);
}

TEST(EnergySplit, SumsBeyond32BitsAreRightToo) {
  const std::vector<std::int32_t> small = {3, 1, 4, 1, 5, 30, 32, 35, 33, 31};
  std::vector<std::int32_t> large;
  for (const std::int32_t value : small) large.push_back(value * 50'000'000);
  const EnergySplit a = best_split(small, 2), b = best_split(large, 2);
  EXPECT_EQ(a.at, 5u);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.end, b.end);
  EXPECT_NEAR(b.statistic / a.statistic, 5e7, 1);
}

TEST(Segments, ASlopeIsNoStep) {
  std::vector<double> values = levels({{60, 0.0}});
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.01 * static_cast<double>(i);
  const Segments found = segments(values, {});
  EXPECT_FALSE(change_points(values, {}).empty()) << "or there is nothing to explain";
  EXPECT_TRUE(found.changes.empty());
  ASSERT_EQ(found.slopes.size(), 1u);
  EXPECT_NEAR(found.slopes[0].rise, 0.59, 0.01);
}

TEST(Segments, AStaircaseIsNoSlope) {
  const Segments found = segments(levels({{20, 0.0}, {20, 0.1}, {20, 0.2}}), {});
  EXPECT_TRUE(found.slopes.empty());
  ASSERT_EQ(found.changes.size(), 2u);
  EXPECT_EQ(found.changes[1].at, 40u);
}

}  // namespace
}  // namespace aisp::stats
