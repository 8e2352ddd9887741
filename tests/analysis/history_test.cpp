// SPDX-License-Identifier: Apache-2.0
// What a series of results is taken for: a suspicion, one that a paired run settled, or the machine's doing.
#include <gtest/gtest.h>

#include "aisp/analysis/history.h"

namespace aisp::analysis {
namespace {

struct Level {
  int count;
  double value;
  std::string build;
};

std::shared_ptr<const HistoryRun> run_of(const std::string& build) {
  const std::vector<std::string> programs(build.empty() ? 0 : 1, build);
  return std::make_shared<const HistoryRun>(
      HistoryRun{.id = "run", .started = {}, .commit = build, .programs = programs});
}

HistorySeries series_of(const std::vector<Level>& levels, Goal goal = Goal::speed) {
  HistorySeries series;
  series.workload = "ch07/transpose";
  series.parameters = "n=64";
  series.device = "cpu";
  series.cache = "hot";
  series.variant = "tiled";
  series.goal = goal;
  for (const Level& level : levels) {
    for (int i = 0; i < level.count; ++i) {
      const double value = level.value * (1 + 0.001 * ((i * 7) % 5));
      series.points.push_back(
          {.run = run_of(level.build), .time = "2026-11-15T00:00:00Z", .value = {value, value, value}});
    }
  }
  return series;
}

PairedRevisions paired(Outcome outcome, bool small = false, Validity validity = Validity::valid) {
  return {
      .run = "pair",
      .finished = "2026-11-16T00:00:00Z",
      .old_program = "a",
      .new_program = "b",
      .workload = "ch07/transpose",
      .parameters = "n=64",
      .device = "cpu",
      .cache = "hot",
      .variant = "tiled",
      .validity = validity,
      .ratio = RatioEstimate{.against = "a", .ratio = 0.8, .method = {}, .outcome = outcome, .small = small}};
}

/// The only change of a series that got slower with build b, after the paired runs.
HistoryChange settled(const std::vector<PairedRevisions>& runs) {
  ExaminedSeries examined = examine(series_of({{15, 100, "a"}, {15, 125, "b"}}), {});
  settle(examined, runs);
  EXPECT_EQ(examined.changes.size(), 1u);
  return examined.changes.empty() ? HistoryChange{} : examined.changes.front();
}

TEST(History, ARegressionIsSuspectedUntilBothRevisionsWereMeasuredTogether) {
  const HistoryChange change = settled({});
  EXPECT_EQ(change.status, ChangeStatus::suspected);
  EXPECT_TRUE(change.worse());
  EXPECT_FALSE(change.alerts());
  EXPECT_EQ(change.at, 15u);
  EXPECT_EQ(change.last_old, 14u);
  EXPECT_EQ(change.first_new, 15u);
  EXPECT_NEAR(change.ratio, 0.8, 0.01);
}

TEST(History, OnlyAConfirmedRegressionAlerts) {
  EXPECT_TRUE(settled({paired(Outcome::slower)}).alerts());
  for (const PairedRevisions& run : {paired(Outcome::equivalent), paired(Outcome::faster),
                                     paired(Outcome::slower, true), paired(Outcome::inconclusive)})
    EXPECT_FALSE(settled({run}).alerts());
  EXPECT_EQ(settled({paired(Outcome::equivalent)}).status, ChangeStatus::refuted);
  EXPECT_EQ(settled({paired(Outcome::inconclusive)}).status, ChangeStatus::unsettled);
  for (const Validity validity : {Validity::unproven, Validity::invalid, Validity::failed})
    EXPECT_EQ(settled({paired(Outcome::slower, false, validity)}).status, ChangeStatus::unsettled);
}

TEST(History, TheLatestRunThatCouldTellDecides) {
  PairedRevisions early = paired(Outcome::equivalent), unclear = paired(Outcome::inconclusive);
  early.finished = "2026-11-15T12:00:00Z";
  unclear.finished = "2026-11-17T00:00:00Z";
  EXPECT_EQ(settled({early, paired(Outcome::slower), unclear}).status, ChangeStatus::confirmed);
  EXPECT_EQ(settled({unclear, paired(Outcome::slower), early}).status, ChangeStatus::confirmed);
}

TEST(History, RunsOfOtherBuildsOrCellsSettleNothing) {
  for (const auto& alter : std::vector<void (*)(PairedRevisions&)>{
           [](PairedRevisions& run) { run.old_program = "c"; },
           [](PairedRevisions& run) { run.new_program = "c"; },
           [](PairedRevisions& run) { std::swap(run.old_program, run.new_program); },
           [](PairedRevisions& run) { run.new_program = run.old_program; },
           [](PairedRevisions& run) { run.workload = "ch07/copy"; },
           [](PairedRevisions& run) { run.parameters = "n=65"; },
           [](PairedRevisions& run) { run.device = "cuda:0"; },
           [](PairedRevisions& run) { run.cache = "cold"; },
           [](PairedRevisions& run) { run.variant = "naive"; }}) {
    PairedRevisions run = paired(Outcome::slower);
    alter(run);
    EXPECT_EQ(settled({run}).status, ChangeStatus::suspected);
  }
}

TEST(History, TheSameBuildOnBothSidesNeverAlerts) {
  ExaminedSeries examined = examine(series_of({{15, 100, "a"}, {15, 125, "a"}}), {});
  ASSERT_EQ(examined.changes.size(), 1u);
  EXPECT_EQ(examined.changes[0].status, ChangeStatus::same_build);
  settle(examined, std::vector{paired(Outcome::slower)});
  EXPECT_FALSE(examined.changes[0].alerts());
}

TEST(History, ACutBesideTheNewBuildIsStillBlamedOnIt) {
  // The last value with build a happens to be slow: the cut lies between two values of a.
  HistorySeries series = series_of({{15, 100, "a"}, {1, 125, "a"}, {15, 125, "b"}});
  const ExaminedSeries examined = examine(series, {});
  ASSERT_EQ(examined.changes.size(), 1u);
  EXPECT_EQ(examined.changes[0].at, 15u);
  EXPECT_EQ(examined.changes[0].status, ChangeStatus::suspected);
  EXPECT_EQ(series.points[examined.changes[0].last_old].run->commit, "a");
  EXPECT_EQ(series.points[examined.changes[0].first_new].run->commit, "b");
}

TEST(History, BuildsThatWereNotRecordedAreSuspectedAndNeverSettled) {
  ExaminedSeries examined = examine(series_of({{15, 100, ""}, {15, 125, ""}}), {});
  settle(examined, std::vector{paired(Outcome::slower)});
  ASSERT_EQ(examined.changes.size(), 1u);
  EXPECT_EQ(examined.changes[0].status, ChangeStatus::suspected);
}

TEST(History, MoreItemsPerSecondAreAGain) {
  const ExaminedSeries examined = examine(series_of({{15, 100, "a"}, {15, 125, "b"}}, Goal::throughput), {});
  ASSERT_EQ(examined.changes.size(), 1u);
  EXPECT_FALSE(examined.changes[0].worse());
  EXPECT_NEAR(examined.changes[0].ratio, 1.25, 0.01);
}

TEST(History, ASmallChangeIsNotSuspected) {
  const ExaminedSeries examined = examine(series_of({{15, 100, "a"}, {15, 101, "b"}}), {});
  ASSERT_EQ(examined.changes.size(), 1u);
  EXPECT_EQ(examined.changes[0].status, ChangeStatus::small);
}

TEST(History, WhatWasMadeGoodAgainNoLongerAlerts) {
  ExaminedSeries examined = examine(series_of({{15, 100, "a"}, {12, 125, "b"}, {15, 100, "c"}}), {});
  settle(examined, std::vector{paired(Outcome::slower)});
  ASSERT_EQ(examined.changes.size(), 2u);
  EXPECT_EQ(examined.changes[0].status, ChangeStatus::confirmed);
  EXPECT_TRUE(examined.changes[0].recovered);
  EXPECT_FALSE(examined.changes[0].alerts());
  EXPECT_FALSE(examined.changes[1].worse());
}

TEST(History, ASlopeIsADriftAndBlamesNobody) {
  HistorySeries series = series_of({{60, 100, "a"}});
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    series.points[i].value.value *= 1 + 0.005 * static_cast<double>(i);
    series.points[i].run = run_of(std::to_string(i));
  }
  const ExaminedSeries examined = examine(series, {});
  EXPECT_TRUE(examined.changes.empty());
  ASSERT_EQ(examined.drifts.size(), 1u);
  EXPECT_LT(examined.drifts[0].ratio, 0.8);
  EXPECT_FALSE(examined.drifts[0].small);
  const ExaminedSeries tolerant = examine(series, {.equivalence = 0.5});
  ASSERT_EQ(tolerant.drifts.size(), 1u);
  EXPECT_TRUE(tolerant.drifts[0].small);
}

}  // namespace
}  // namespace aisp::analysis
