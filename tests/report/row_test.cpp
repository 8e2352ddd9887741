// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/row.h"

#include <gtest/gtest.h>

#include <limits>

#include "aisp/report/format.h"
#include "aisp/report/html.h"
#include "aisp/report/markdown.h"
#include "aisp/report/summary.h"
#include "aisp/report/table.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

const CellResult& cell_of(const RunRecord& run, std::string_view workload) {
  for (const CellResult& cell : run.cells) {
    if (cell.workload == workload) return cell;
  }
  ADD_FAILURE() << "no cell " << workload;
  return run.cells.front();
}

TEST(Row, ShowsTheBestVariantWithItsFigures) {
  const RunRecord run = example_run();
  const CellRow row = cell_row(cell_of(run, "ch09/sgemm"));
  EXPECT_EQ(row.variant.name, "packed");
  EXPECT_EQ(row.variant.ceiling, "89%");
  EXPECT_EQ(row.variant.anchor, "1.012x");
  EXPECT_EQ(row.verdict.text, "faster");
  EXPECT_EQ(row.verdict.tone, Tone::good);
  EXPECT_TRUE(row.reasons.empty());
}

TEST(Row, ARejectedClaimIsToldButNotInTheColumnOfResults) {
  const RunRecord run = example_run();
  const CellRow row = cell_row(cell_of(run, "mine/fast_softmax"));
  EXPECT_EQ(row.verdict.text, "invalid");
  EXPECT_EQ(row.variant.speedup, kUnknownText);
  EXPECT_EQ(row.variant.ceiling, kUnknownText);
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_EQ(row.reasons[0].verdict.text, "invalid (claimed 40.9x)");
  EXPECT_NE(row.reasons[0].text.find("output_written: 88 of 96 calls left poison"), std::string::npos);
  EXPECT_NE(row.reasons[0].text.find("hint: write every element"), std::string::npos);
}

TEST(Row, WhatIsBeingMeasuredHasNoVerdictYet) {
  RunRecord run;
  run.status = "running";
  CellResult& cell = run.cells.emplace_back();
  cell.workload = "ch07/transpose";
  cell.stopped = "running";
  const CellRow row = cell_row(cell);
  EXPECT_EQ(row.verdict.text, "running");
  EXPECT_EQ(row.verdict.tone, Tone::caution);
  const std::string line = summary_line(run);
  EXPECT_NE(line.find("1 cell: 1 being measured"), std::string::npos) << line;
  EXPECT_NE(line.find("the run goes on"), std::string::npos) << line;
}

TEST(Row, AnInterruptedCellOfWhichNothingIsLeftSaysSo) {
  RunRecord run = example_run();
  run.cells.resize(1);
  run.status = "interrupted";
  CellResult& cell = run.cells.front();
  cell.stopped = "interrupted";
  EXPECT_EQ(cell_row(cell).reasons.at(0).text, "what was measured before is kept");
  for (VariantResult& variant : cell.variants) variant.skipped = "interrupted";
  EXPECT_EQ(cell_row(cell).reasons.at(0).text, "nothing of this cell is kept");
  EXPECT_NE(summary_line(run).find("cells not yet begun are not counted"), std::string::npos);
}

TEST(Row, TheSummaryNamesAtMostThreeInconclusiveCells) {
  RunRecord run = example_run();
  const CellResult doubtful = run.cells[3];
  run.cells.assign(5, doubtful);
  for (std::size_t i = 0; i < 5; ++i) run.cells[i].parameters = "n=" + std::to_string(i);
  EXPECT_NE(summary_line(run).find("5 cells: 5 valid (5 of them inconclusive: ch08/histogram n=0, "
                                   "ch08/histogram n=1, ch08/histogram n=2 and 2 more)"),
            std::string::npos)
      << summary_line(run);
  run.cells.resize(1);
  EXPECT_NE(summary_line(run).find("1 cell: 1 valid (inconclusive: ch08/histogram n=0)"), std::string::npos)
      << summary_line(run);
}

TEST(Row, WhatWasRejectedIsNeverTheBest) {
  RunRecord run = example_run();
  const auto as_best = [](const CellResult& cell) {
    const CellRow row = cell_row(cell);
    return row.variant.name + row.variant.figure + row.variant.interval + row.variant.memory;
  };
  const std::string nothing = std::string(kUnknownText) + std::string(kUnknownText) +
                              std::string(kUnknownText) + std::string(kUnknownText);
  EXPECT_EQ(as_best(cell_of(run, "mine/fast_softmax")), nothing) << "its only rung is invalid";
  EXPECT_EQ(as_best(cell_of(run, "ch02/false_sharing")), nothing) << "its only rung failed";
  CellResult& cell = run.cells[0];
  ASSERT_EQ(cell_row(cell).variant.name, "packed");
  cell.at("packed").validity = Validity::invalid;
  EXPECT_EQ(cell_row(cell).variant.name, "blocked") << "the next believable one";
  run.cells = {cell};
  for (const std::string& page : {render_table(run, {}), render_markdown(run), render_html(run)}) {
    EXPECT_NE(page.find("blocked"), std::string::npos);
    EXPECT_EQ(page.find("54.3x [53.8"), std::string::npos) << "a rejected ratio:\n" << page;
  }
}

TEST(Row, ARatioWithoutAnIntervalSaysWhyAndWhatToDo) {
  RunRecord run = example_run();
  RatioEstimate& ratio = *run.cells[0].at("packed").speedup;
  ratio.low = 0;
  ratio.high = std::numeric_limits<double>::infinity();
  ratio.rounds = 6;
  ratio.outcome = Outcome::inconclusive;
  const CellRow row = cell_row(run.cells[0]);
  EXPECT_NE(row.variant.speedup.find("(no interval)"), std::string::npos) << row.variant.speedup;
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_EQ(row.reasons[0].subject, "packed");
  EXPECT_EQ(row.reasons[0].verdict.text, "inconclusive");
  EXPECT_NE(row.reasons[0].text.find("more than the 6 rounds in common with naive"), std::string::npos)
      << row.reasons[0].text;
  EXPECT_NE(row.reasons[0].text.find("--cell-seconds"), std::string::npos) << row.reasons[0].text;
}

TEST(Row, TheRatioIsNamedByTheGoal) {
  RunRecord run = example_run();
  const RunRecord mixed = run;
  run.cells = {cell_of(mixed, "ch13/activation_checkpoint")};
  const auto pages = [](const RunRecord& r) {
    return std::vector<std::string>{render_table(r, {}), render_table(r, {.ladder = true}),
                                    render_markdown(r), render_html(r)};
  };
  for (const std::string& page : pages(run)) {
    EXPECT_NE(page.find("saving"), std::string::npos) << page;
    EXPECT_EQ(page.find("speed-up"), std::string::npos) << "memory is not a matter of speed:\n" << page;
  }
  run.cells = {cell_of(mixed, "ch09/sgemm")};
  for (const std::string& page : pages(run)) {
    EXPECT_NE(page.find("speed-up"), std::string::npos) << page;
    EXPECT_EQ(page.find("saving"), std::string::npos) << page;
  }
  EXPECT_NE(render_table(mixed, {}).find(" ratio "), std::string::npos) << "one column for both kinds";
}

TEST(Row, ACrashNamesSignalAndVariantOnceForAllAttempts) {
  const RunRecord run = example_run();
  const CellRow row = cell_row(cell_of(run, "ch02/false_sharing"));
  EXPECT_EQ(row.verdict.text, "failed");
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_EQ(row.reasons[0].subject, "attempts 1, 2");
  EXPECT_EQ(row.reasons[0].verdict.text, "crashed");
  EXPECT_EQ(row.reasons[0].text, "SIGSEGV in variant 'padded'");
}

TEST(Row, AnInvalidSiblingIsToldUnderAValidRow) {
  RunRecord run = example_run();
  CellResult& cell = run.cells[0];
  cell.variants[1].validity = Validity::invalid;
  cell.variants[1].findings = {
      {.guard = "inputs_unchanged", .level = Level::reject, .because = "a was written"}};
  const CellRow row = cell_row(cell);
  EXPECT_EQ(row.verdict.text, "faster");
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_EQ(row.reasons[0].subject, "blocked");
}

TEST(Row, AnInvalidBaselineTakesTheSpeedUpAway) {
  RunRecord run = example_run();
  CellResult& cell = run.cells[0];
  cell.validity = cell.variants[0].validity = Validity::invalid;
  const CellRow row = cell_row(cell);
  EXPECT_EQ(row.verdict.text, "invalid");
  EXPECT_EQ(row.variant.speedup, kUnknownText);
  EXPECT_EQ(row.variant.anchor, kUnknownText);
}

TEST(Row, WaiversAreAlwaysShown) {
  RunRecord run = example_run();
  CellResult& cell = run.cells[0];
  cell.variants[2].findings.push_back(
      {.guard = "quiet_machine", .level = Level::reject, .because = "load 3.1", .waived = true});
  const CellRow row = cell_row(cell);
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_EQ(row.reasons[0].verdict.text, "waived");
  EXPECT_NE(summary_line(run).find("waived: quiet_machine"), std::string::npos);
}

TEST(Row, MemoryGoalsSayWhatBecameSmaller) {
  const RunRecord run = example_run();
  const CellResult& cell = cell_of(run, "ch13/activation_checkpoint");
  const CellRow row = cell_row(cell);
  EXPECT_EQ(row.verdict.text, "smaller");
  EXPECT_EQ(row.variant.memory, "-69%");
  EXPECT_EQ(row.goal, "memory");
  EXPECT_EQ(variant_row(cell, cell.variants[1]).memory, "10.0 MiB (-69%)");
}

TEST(Row, LatencyGoalsShowTheirOwnFigure) {
  const RunRecord run = example_run();
  const CellResult& cell = cell_of(run, "ch16/continuous_batching");
  EXPECT_EQ(cell_row(cell).goal, "p99 latency");
  EXPECT_EQ(variant_row(cell, cell.variants[1]).figure, format_time(*cell.variants[1].figure));
}

TEST(Row, SmallDifferencesAreMarked) {
  RunRecord run = example_run();
  run.cells[0].variants[2].speedup->small = true;
  EXPECT_EQ(cell_row(run.cells[0]).verdict.text, "faster (small)");
}

TEST(Row, AVariantRejectedTwiceNamesBothGuards) {
  CellResult cell = example_run().cells[4];
  VariantResult& cached = cell.variants[1];
  ASSERT_EQ(cached.validity, Validity::invalid);
  const auto ends_with = [&](const std::string& end) { return reasons_of(cell).front().text.ends_with(end); };
  EXPECT_TRUE(ends_with("; rejected too by faster_than_floor"));
  cached.findings.push_back({.guard = "another", .level = Level::reject});
  EXPECT_TRUE(ends_with("; rejected too by faster_than_floor and another"));
  cached.findings.back().waived = true;
  EXPECT_TRUE(ends_with("; rejected too by faster_than_floor"));
}

TEST(Row, ALadderThatCannotRunHereIsSkippedNotJudged) {
  RunRecord run = example_run();
  run.cells.resize(1);
  CellResult& cell = run.cells.front();
  cell.stopped = "skipped";
  cell.validity = Validity::unproven;
  for (VariantResult& variant : cell.variants) variant.skipped = "needs sm_90a, this device is sm_80";
  const CellRow row = cell_row(cell);
  EXPECT_EQ(row.verdict.text, "skipped");
  ASSERT_EQ(row.reasons.size(), 1u);
  EXPECT_NE(row.reasons[0].text.find("needs sm_90a, this device is sm_80"), std::string::npos);
  EXPECT_NE(summary_line(run).find("1 cell: 1 cannot run here"), std::string::npos) << summary_line(run);
}

TEST(Summary, CountsWhatTheRowsShow) {
  const RunSummary summary = summarise(example_run());
  EXPECT_EQ(summary.cells, 9);
  EXPECT_EQ(summary.by_validity, (std::array<int, 4>{6, 1, 1, 1}));
  EXPECT_EQ(summary.rejected_variants, 2);
  EXPECT_EQ(summary.skipped_variants, 1);
  EXPECT_EQ(summary.unknown, (std::vector<std::string>{"frequency_steady", "threads_at_rest"}));
}

TEST(Summary, ACalledDifferenceInTheCalibrationIsTold) {
  RunRecord run = example_run();
  run.cells[3].aa->outcome = Outcome::slower;
  EXPECT_NE(summary_line(run).find(", calls a difference in 1"), std::string::npos);
  run.cells = {run.cells[3]};
  EXPECT_NE(summary_line(run).find("A/A calls a difference: 1.000x [0.997, 1.003]"), std::string::npos);
}

TEST(Summary, AWideCalibrationIsNotOneThatHolds) {
  RunRecord run = example_run();
  run.cells[3].aa->low = 0.9;
  EXPECT_NE(summary_line(run).find(", is too wide to tell in 1"), std::string::npos) << summary_line(run);
  run.cells = {run.cells[3]};
  run.cells[0].aa->low = 0;
  run.cells[0].aa->high = std::numeric_limits<double>::infinity();
  EXPECT_NE(summary_line(run).find("A/A too wide to tell: 1.00x (no interval)"), std::string::npos)
      << summary_line(run);
}

}  // namespace
}  // namespace aisp::report
