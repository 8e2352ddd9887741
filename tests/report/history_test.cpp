// SPDX-License-Identifier: Apache-2.0
// Every rendering of a history: what it says, and that foreign text and strange numbers cannot break it.
#include "aisp/report/history.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "aisp/report/history_rows.h"

namespace aisp::report {
namespace {

ExaminedSeries regression(ChangeStatus status) {
  ExaminedSeries examined;
  examined.series.workload = "ch07/transpose";
  examined.series.parameters = "n=64";
  examined.series.device = "cpu";
  examined.series.variant = "tiled";
  for (int i = 0; i < 10; ++i) {
    const double ns = i < 5 ? 1000 : 1250;
    const HistoryRun run{.id = "r", .started = {}, .commit = i < 5 ? "aaa1111" : "bbb2222", .programs = {}};
    examined.series.points.push_back({.run = std::make_shared<const HistoryRun>(run),
                                      .time = "2026-11-0" + std::to_string(i % 9 + 1) + "T00:00:00Z",
                                      .value = {ns, ns - 10, ns + 10}});
  }
  HistoryChange change;
  change.at = change.first_new = 5;
  change.last_old = 4;
  change.before = 1000;
  change.after = 1250;
  change.ratio = 0.8;
  change.status = status;
  examined.changes = {change};
  return examined;
}

TEST(HistoryRows, TellOneChange) {
  const std::vector<ExaminedSeries> one{regression(ChangeStatus::suspected)};
  const std::vector<HistoryRow> rows = history_rows(one, false);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].levels, "1.00 µs to 1.25 µs");
  EXPECT_EQ(rows[0].change, "0.800x");
  EXPECT_EQ(rows[0].place, "2026-11-06 aaa1111 to bbb2222");
  EXPECT_EQ(rows[0].verdict.text, "suspected");
  EXPECT_EQ(rows[0].line, "▁▁▁▁▁█████");
}

TEST(HistoryRows, LeaveOutWhatDidNotChangeUnlessAsked) {
  std::vector<ExaminedSeries> two{regression(ChangeStatus::small), regression(ChangeStatus::small)};
  two[1].changes.clear();
  EXPECT_TRUE(history_rows(two, false).empty());
  EXPECT_EQ(history_rows(two, true).size(), 2u);
}

TEST(HistoryRows, ADriftHasItsDates) {
  std::vector<ExaminedSeries> one{regression(ChangeStatus::small)};
  one[0].changes.clear();
  one[0].drifts = {{0, 9, 0.9, false}};
  ASSERT_EQ(history_rows(one, false).size(), 1u);
  EXPECT_EQ(history_rows(one, false)[0].place, "2026-11-01 to 2026-11-09");
  one[0].drifts[0].small = true;
  EXPECT_TRUE(history_rows(one, false).empty());
}

TEST(HistoryRows, OnlyRegressionsThatLastAreCounted) {
  std::vector<ExaminedSeries> all;
  for (const ChangeStatus status : {ChangeStatus::suspected, ChangeStatus::unsettled, ChangeStatus::confirmed,
                                    ChangeStatus::refuted, ChangeStatus::same_build, ChangeStatus::small}) {
    all.push_back(regression(status));
    all.push_back(regression(status));
    all.back().changes[0].recovered = true;
    all.push_back(regression(status));
    all.back().changes[0].ratio = 1.25;
  }
  const HistoryCounts counts = count_changes(all);
  EXPECT_EQ(counts.series, 18);
  EXPECT_EQ(counts.points, 180);
  EXPECT_EQ(counts.confirmed, 1);
  EXPECT_EQ(counts.suspected, 1);
  EXPECT_EQ(counts.unsettled, 1);
}

TEST(Sparkline, FitsItsWidthAndTakesValuesThatAreAlike) {
  EXPECT_EQ(sparkline({}, 8), "");
  EXPECT_EQ(sparkline(std::vector<double>(3, 5.0), 8), "▁▁▁");
  const std::vector<double> many{1, 1, 1, 1, 9, 9, 9, 9};
  EXPECT_EQ(sparkline(many, 2), "▁█");
}

TEST(HistoryJUnit, FailsForConfirmedRegressionsAlone) {
  const std::vector<ExaminedSeries> two{regression(ChangeStatus::confirmed),
                                        regression(ChangeStatus::suspected)};
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_history_junit(two, "box").c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  const pugi::xml_node first = suite.first_child();
  EXPECT_STREQ(first.child("failure").attribute("type").value(), "regression");
  EXPECT_FALSE(first.next_sibling().child("failure"));
  EXPECT_NE(std::string(first.next_sibling().child("system-out").text().get()).find("suspected"),
            std::string::npos);
}

TEST(HistoryJUnit, SkipsSeriesInWhichNoChangeCouldBeFound) {
  ExaminedSeries young = regression(ChangeStatus::confirmed), old = young;
  young.changes.clear();
  old.changes.clear();
  young.series.points.resize(9);
  old.series.points.resize(10);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_history_junit(std::vector{young, old}, "box").c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_TRUE(suite.first_child().child("skipped"));
  EXPECT_FALSE(suite.first_child().next_sibling().child("skipped"));
}

TEST(HistoryRenderings, SurviveHostileTextAndNothingAtAll) {
  ExaminedSeries hostile = regression(ChangeStatus::confirmed);
  const std::string attack = "<script>|`\x1b[2J\n\"&@someone";
  hostile.series.workload = hostile.series.variant = hostile.series.parameters = attack;
  const auto run = std::make_shared<const HistoryRun>(
      HistoryRun{.id = "r", .started = {}, .commit = attack, .programs = {}});
  for (HistoryPoint& point : hostile.series.points) point = {run, attack, point.value};
  hostile.drifts = {{0, 10, 0.9, false}};
  const std::vector<ExaminedSeries> one{hostile}, none;
  for (const auto& examined : {one, none}) {
    const std::string table = render_history(examined, true, false);
    EXPECT_EQ(table.find('\x1b'), std::string::npos);
    const std::string markdown = render_history_markdown(examined, attack);
    EXPECT_EQ(markdown.find("<script>"), std::string::npos);
    EXPECT_EQ(markdown.find('\x1b'), std::string::npos);
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(render_history_junit(examined, attack).c_str()));
    EXPECT_TRUE(document.load_string(render_history_svg(examined, true).c_str()));
  }
}

TEST(HistoryRows, TheSummarySaysHowManySeriesWereTested) {
  std::vector<ExaminedSeries> two{regression(ChangeStatus::small), regression(ChangeStatus::small)};
  EXPECT_EQ(summary_of(count_changes(two)),
            "2 series of 20 results: 0 confirmed regressions, 0 suspected, 0 unsettled");
  two[1].changes.clear();
  two[1].series.points.resize(9);
  EXPECT_EQ(
      summary_of(count_changes(two)),
      "2 series of 19 results, 1 of them tested (a test takes 10 results of a series, 5 on either side): 0 "
      "confirmed regressions, 0 suspected, 0 unsettled");
  EXPECT_NE(summary_of(count_changes(std::span(two).subspan(1))).find("none of them tested"),
            std::string::npos);
}

/// The places of all lines of this class, from the top of the picture: both ends of each.
std::vector<double> heights(const std::string& picture, const std::string& css) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(picture.c_str()));
  std::vector<double> all;
  for (const auto& found : document.select_nodes(("//line[@class='" + css + "']").c_str())) {
    all.push_back(found.node().attribute("y1").as_double());
    all.push_back(found.node().attribute("y2").as_double());
  }
  return all;
}

// The panel reaches from 34 to 128, and what does not fit ends there.
TEST(HistorySvg, HasRoomForTheIntervals) {
  std::vector<ExaminedSeries> one{regression(ChangeStatus::confirmed)};
  one[0].series.points[2].value = {1000, 600, 1900};
  const std::vector<double> ends = heights(render_history_svg(one, false), "whisker");
  ASSERT_EQ(ends.size(), 20u);
  EXPECT_GT(*std::ranges::min_element(ends), 34.5);
  EXPECT_LT(*std::ranges::max_element(ends), 127.5);
}

TEST(HistorySvg, TellsPointsOfOneDayApart) {
  std::vector<ExaminedSeries> one{regression(ChangeStatus::confirmed)};
  one[0].series.points[9].time = "2026-11-10T00:00:00Z";
  const std::string days = render_history_svg(one, false);
  EXPECT_NE(days.find(">2026-11-01</text>"), std::string::npos) << days;
  for (std::size_t i = 0; i < 10; ++i)
    one[0].series.points[i].time = "2026-11-15T12:0" + std::to_string(i) + ":30Z";
  const std::string times = render_history_svg(one, false);
  EXPECT_NE(times.find(">2026-11-15 12:00:30 aaa1111</text>"), std::string::npos) << times;
  EXPECT_NE(times.find(">2026-11-15 12:09:30 bbb2222</text>"), std::string::npos) << times;
}

TEST(HistorySvg, DrawsEveryPointAndMarksTheAlert) {
  const std::vector<ExaminedSeries> one{regression(ChangeStatus::confirmed)};
  const std::string picture = render_history_svg(one, false);
  std::size_t circles = 0;
  for (std::size_t at = 0; (at = picture.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 10u);
  EXPECT_NE(picture.find("class=\"cut bad\""), std::string::npos);
  const std::vector<ExaminedSeries> quiet{regression(ChangeStatus::small)};
  EXPECT_EQ(render_history_svg(quiet, false).find("<circle"), std::string::npos);
}

}  // namespace
}  // namespace aisp::report
