// SPDX-License-Identifier: Apache-2.0
// Runs that are empty, cut short or full of impossible numbers: every renderer must still answer, and
// sensibly.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <pugixml.hpp>

#include "aisp/report/csv.h"
#include "aisp/report/google_benchmark.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/junit.h"
#include "aisp/report/markdown.h"
#include "aisp/report/plots.h"
#include "aisp/report/table.h"
#include "aisp/wire/json.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

/// For people: no infinity or NaN may be printed in any of these.
std::string for_people(const RunRecord& run) {
  return render_table(run, {}) + render_table(run, {.width = 60, .ladder = true}) + render_markdown(run) +
         render_html(run) + render_junit(run);
}

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    const bool before = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1]));
    const bool after = std::isalpha(static_cast<unsigned char>(text[at + word.size()]));
    if (!before && !after) return true;
  }
  return false;
}

void expect_sound(const RunRecord& run) {
  const std::string text = for_people(run);
  EXPECT_FALSE(has_word(text, "inf"));
  EXPECT_FALSE(has_word(text, "nan"));
  EXPECT_TRUE(parse_json(render_json(run)));
  EXPECT_TRUE(parse_json(render_google_benchmark(run)));
  EXPECT_FALSE(render_csv(run).empty());
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(render_junit(run).c_str()));
}

void set_everywhere(RunRecord& run, double value) {
  for (CellResult& cell : run.cells) {
    cell.work_bytes = cell.work_flops = cell.work_items = value;
    const RatioEstimate ratio{.against = "x", .ratio = value, .low = value, .high = value};
    cell.aa = ratio;
    for (VariantResult& v : cell.variants) {
      for (double& ns : v.samples.ns) ns = value;
      for (std::vector<double>& items : v.samples.items) items.assign(items.size(), value);
      v.time_ns = v.figure = Estimate{value, value, value};
      v.speedup = v.of_anchor = ratio;
      v.percent_of_ceiling = value;
      v.memory = {value, value, value, value};
      v.prepare_ns = value;
      for (auto& metric : v.metrics) metric.second = value;
      v.evidence.process.cpu_in_windows_ns = v.evidence.process.wall_in_windows_ns = value;
      v.evidence.answers.worst_error = value;
    }
  }
}

TEST(Extreme, AnEmptyRecord) {
  expect_sound(RunRecord{});
  EXPECT_EQ(render_table(RunRecord{}, {}), "0 cells; policy standard\n");
}

TEST(Extreme, ARunWithoutCells) {
  RunRecord run = example_run();
  run.cells.clear();
  expect_sound(run);
  EXPECT_NE(render_html(run).find("This run has no cells"), std::string::npos);
}

TEST(Extreme, CellsWithoutVariantsOrSamples) {
  RunRecord run = example_run();
  run.cells.resize(3);
  run.cells[0] = CellResult{};
  run.cells[1].variants.clear();
  for (VariantResult& variant : run.cells[2].variants) variant = VariantResult{};
  expect_sound(run);
}

TEST(Extreme, OneSample) {
  RunRecord run = example_run();
  for (CellResult& cell : run.cells) {
    cell.rounds.resize(1);
    for (VariantResult& v : cell.variants) {
      if (v.samples.size() == 0) continue;
      v.samples = {{1}, {0}, {0}, {1}, {v.samples.ns[0]}, {}};
      v.time_ns = Estimate{v.samples.ns[0], v.samples.ns[0], v.samples.ns[0]};
    }
  }
  expect_sound(run);
  EXPECT_EQ(render_google_benchmark(run).find("_stddev"), std::string::npos) << "one value has no spread";
}

TEST(Extreme, ImpossibleNumbersEverywhere) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -1.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                             Limits::denorm_min(), Limits::max(), 1e-30, 1e30}) {
    RunRecord run = example_run();
    set_everywhere(run, value);
    SCOPED_TRACE(value);
    expect_sound(run);
  }
}

TEST(Extreme, ColumnsOfUnequalLength) {
  RunRecord run = example_run();
  for (CellResult& cell : run.cells) {
    for (VariantResult& v : cell.variants)
      v.samples.attempt.clear(), v.samples.round.resize(v.samples.round.size() / 2);
  }
  expect_sound(run);
}

TEST(Extreme, MillionsOfSamplesAreThinnedNotDrawn) {
  CellResult cell = example_run().cells[2];
  Samples& samples = cell.variants[0].samples;
  for (int i = 0; i < 200'000; ++i) {
    samples.ns.push_back(2e6 + i);
    samples.round.push_back(i % 48);
    samples.attempt.push_back(1);
  }
  const std::string svg = plot_times(cell);
  EXPECT_LT(svg.size(), 60'000u);
  EXPECT_NE(svg.find(" samples, one of 4"), std::string::npos) << "the reader is told";
}

}  // namespace
}  // namespace aisp::report
