// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <pugixml.hpp>

#include "aisp/report/plots.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

TEST(Svg, LinearTicksAreRoundAndInside) {
  const Scale scale{0, 10, 0, 100, false};
  EXPECT_EQ(ticks(scale, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  const Scale narrow{0.983, 1.021, 0, 100, false};
  for (const double tick : ticks(narrow, 5)) {
    EXPECT_GE(tick, narrow.low);
    EXPECT_LE(tick, narrow.high);
    EXPECT_NEAR(tick / 0.01, std::round(tick / 0.01), 1e-6);
  }
}

TEST(Svg, LogTicksAreOneTwoFive) {
  const Scale scale{0.9, 120, 0, 100, true};
  EXPECT_EQ(ticks(scale, 6), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  const Scale wide{1, 1e9, 0, 100, true};
  EXPECT_LE(ticks(wide, 6).size(), 10u);
}

TEST(Svg, ScalesMapTheirEndsAndNeverLeaveThem) {
  const double values[] = {1, 100};
  for (const bool log : {false, true}) {
    const Scale scale = scale_over(values, 50, 250, log);
    EXPECT_GT(scale.at(1), 50);
    EXPECT_LT(scale.at(100), 250);
    EXPECT_LT(scale.at(1), scale.at(100));
    for (const double odd : {0.0, -5.0, 1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
      EXPECT_GE(scale.at(odd), 50);
      EXPECT_LE(scale.at(odd), 250);
    }
  }
}

TEST(Svg, ScalesOfNothingAndOfOneValueAreUsable) {
  for (const bool log : {false, true}) {
    EXPECT_GT(scale_over({}, 0, 1, log).high, scale_over({}, 0, 1, log).low);
    const double one[] = {5};
    const Scale scale = scale_over(one, 0, 100, log);
    EXPECT_NEAR(scale.at(5), 50, 2);
  }
}

TEST(Svg, EveryPlotIsWellFormedAndLabelled) {
  for (const RunRecord& run : {example_run(), hostile_run()}) {
    for (const CellResult& cell : run.cells) {
      for (const std::string& svg :
           {plot_times(cell), plot_speedups(cell, 0.02), plot_rounds(cell), plot_latencies(cell)}) {
        if (svg.empty()) continue;
        pugi::xml_document document;
        const pugi::xml_parse_result parsed = document.load_string(svg.c_str());
        ASSERT_TRUE(parsed) << parsed.description() << "\n" << svg;
        EXPECT_STREQ(document.child("svg").attribute("role").value(), "img");
        EXPECT_GT(std::string(document.child("svg").attribute("aria-label").value()).size(), 10u);
      }
    }
  }
}

TEST(Svg, TextStaysInsideTheDrawing) {
  for (const CellResult& cell : example_run().cells) {
    for (const std::string& svg :
         {plot_times(cell), plot_speedups(cell, 0.02), plot_rounds(cell), plot_latencies(cell)}) {
      pugi::xml_document document;
      document.load_string(svg.c_str());
      const double width = document.child("svg").attribute("width").as_double();
      const double height = document.child("svg").attribute("height").as_double();
      for (const pugi::xml_node text : document.child("svg").children("text")) {
        const double x = text.attribute("x").as_double();
        const bool larger = std::string(text.attribute("class").value()).starts_with("label");
        const double length = text_width(text.text().get()) * (larger ? 12.0 / 11 : 1);
        const std::string anchor = text.attribute("text-anchor").value();
        const double left = anchor == "end" ? x - length : anchor == "middle" ? x - length / 2 : x;
        EXPECT_GE(left, -1) << text.text().get();
        EXPECT_LE(left + length, width + 1) << text.text().get();
        EXPECT_LE(text.attribute("y").as_double(), height);
      }
    }
  }
}

/// Without its spaces: what a row is called, on however many lines.
std::string names_in(const std::string& svg) {
  pugi::xml_document document;
  document.load_string(svg.c_str());
  std::string names;
  for (const pugi::xml_node text : document.child("svg").children("text"))
    if (std::string(text.attribute("class").value()).starts_with("label")) names += text.text().get();
  std::erase(names, ' ');
  return names;
}

TEST(Svg, LongNamesAreOnTwoLinesAndWhole) {
  CellResult cell = example_run().cells.front();
  const std::string name = "three_pass_in_registers_unrolled";
  cell.variants.front().name = name;
  cell.aa->against = "three_pass";
  const std::string speedups = plot_speedups(cell, 0.02);
  EXPECT_NE(names_in(speedups).find("A/A(three_passtwice)"), std::string::npos) << names_in(speedups);
  EXPECT_NE(names_in(plot_times(cell)).find(name), std::string::npos) << names_in(plot_times(cell));
  EXPECT_NE(names_in(plot_rounds(cell)).find(name), std::string::npos) << names_in(plot_rounds(cell));
  cell.variants.front().name = name + name;
  EXPECT_NE(names_in(plot_times(cell)).find("…"), std::string::npos) << "two lines are the most";
}

TEST(Svg, RoundsSayWhatTheirColoursAre) {
  CellResult cell = example_run().cells.front();
  EXPECT_NE(plot_rounds(cell).find(">the variant&#39;s median<"), std::string::npos) << plot_rounds(cell);
  EXPECT_NE(plot_rounds(cell).find(">discarded round<"), std::string::npos);
  for (RoundRecord& round : cell.rounds) round.discarded.clear();
  EXPECT_EQ(plot_rounds(cell).find(">discarded round<"), std::string::npos) << "there is none";
  // One round for each attempt: no room for a word above each, and fewer colours than attempts.
  for (VariantResult& variant : cell.variants)
    for (std::size_t i = 0; i < variant.samples.attempt.size(); ++i)
      variant.samples.attempt[i] = variant.samples.round[i] % 9;
  EXPECT_NE(plot_rounds(cell).find(">attempt 1, 5, 9<"), std::string::npos) << plot_rounds(cell);
}

TEST(Svg, ARejectedClaimIsNotDrawnAsAResult) {
  for (const CellResult& cell : example_run().cells) {
    if (cell.workload != "mine/fast_softmax") continue;
    const std::string svg = plot_speedups(cell, 0.02);
    EXPECT_NE(svg.find("invalid, not compared"), std::string::npos);
    EXPECT_EQ(svg.find("40.9x"), std::string::npos);
  }
}

}  // namespace
}  // namespace aisp::report
