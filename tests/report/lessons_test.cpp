// SPDX-License-Identifier: Apache-2.0
// Pages about each workload: every rung and size is there, counts that are unknown are not zeros, and the
// picture shows what was swept.
#include "aisp/report/lessons.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

RatioEstimate times(double ratio) {
  return {.against = "plain",
          .ratio = ratio,
          .low = 0.98 * ratio,
          .high = 1.02 * ratio,
          .rounds = 90,
          .method = "sign",
          .outcome = Outcome::faster};
}

CellResult measured(const std::string& parameters, double ratio) {
  CellResult cell;
  cell.workload = "ch07/made_up";
  cell.title = "Made up";
  cell.device = "cuda:0";
  cell.parameters = parameters;
  VariantResult plain{.name = "plain", .validity = Validity::valid};
  plain.time_ns = {{5e3 * ratio, 4.9e3 * ratio, 5.1e3 * ratio}};
  plain.counters = {{"dram_read_bytes", 1 << 20}, {"stall: barrier", 0.25}};
  VariantResult tiled{.name = "tiled", .rung = Rung::step, .note = "a tile", .validity = Validity::valid};
  tiled.time_ns = {{5e3, 4.9e3, 5.1e3}};
  tiled.speedup = times(ratio);
  tiled.counters = {{"dram_read_bytes", 1 << 19}, {"occupancy", 0.5}};
  cell.variants = {plain, tiled};
  return cell;
}

RunRecord sweep() {
  RunRecord run;
  run.started = "2026-11-16T10:00:00Z";
  run.manifest.hardware = "test";
  run.cells = {measured("n=1024 m=3", 4), measured("n=4096 m=3", 2), measured("n=16384 m=3", 0.9)};
  return run;
}

TEST(Lessons, OnePageAndOnePictureForASweep) {
  const auto pages = render_lessons(sweep());
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].file, "ch07-made_up.md");
  EXPECT_EQ(pages[1].file, "ch07-made_up.svg");
  for (const char* part : {"ch07-made_up.svg", "## n=1024 m=3", "## n=16384 m=3", "4.00x", "a tile",
                           "1.00 MiB", "512 KiB", "50", "barrier 25"})
    EXPECT_NE(pages[0].text.find(part), std::string::npos) << part << " in\n" << pages[0].text;
}

TEST(Lessons, WhatNoRungCountedHasNoColumnAndWhatOneLacksIsUnknown) {
  const std::string page = render_lessons(sweep()).front().text;
  EXPECT_EQ(page.find("sectors a load"), std::string::npos);
  const std::size_t row = page.find("| plain |", page.find("Counted by the device"));
  ASSERT_NE(row, std::string::npos);
  EXPECT_NE(page.substr(row, page.find('\n', row) - row).find("–"), std::string::npos);
}

// The count is of more than products: plain single precision has millions.
TEST(Lessons, InstructionsOfTheTensorPipeAreNotShownAsUseOfTensorCores) {
  RunRecord run = sweep();
  run.cells[0].variants[0].counters = {{"instructions", 2e9}, {"tensor_instructions", 6.76e7}};
  const std::string page = render_lessons(run).front().text;
  EXPECT_NE(page.find("2e+09"), std::string::npos) << page;
  EXPECT_EQ(page.find("6.76e+07"), std::string::npos) << page;
}

TEST(Lessons, AnAnchorsRatioHasItsIntervalAndACeilingItsName) {
  RunRecord run = sweep();
  VariantResult& tiled = run.cells[0].variants[1];
  tiled.of_anchor = times(1.25);
  tiled.percent_of_ceiling = 62;
  tiled.ceiling = "matmul of tf32, 1 thread";
  const std::string page = render_lessons(run).front().text;
  EXPECT_NE(page.find("1.25x [1.23, 1.27]"), std::string::npos) << page;
  EXPECT_NE(page.find("62% of matrix units in tf32 |"), std::string::npos) << page;
  // What is not accepted shows neither.
  tiled.validity = Validity::invalid;
  const std::string rejected = render_lessons(run).front().text;
  EXPECT_EQ(rejected.find("1.25x"), std::string::npos) << rejected;
  EXPECT_EQ(rejected.find("matrix units"), std::string::npos) << rejected;
}

TEST(Lessons, OnACpuACeilingSaysHowManyThreads) {
  RunRecord run = sweep();
  run.cells[0].device = "cpu";
  VariantResult& tiled = run.cells[0].variants[1];
  tiled.percent_of_ceiling = 62;
  tiled.ceiling = "copy of memory, 2 threads";
  EXPECT_NE(render_lessons(run).front().text.find("62% of copying memory, 2 threads |"), std::string::npos);
}

TEST(Lessons, TwoSizesAreNoSweep) {
  RunRecord run = sweep();
  run.cells.pop_back();
  EXPECT_EQ(render_lessons(run).size(), 1U);
}

TEST(Lessons, RejectedRungsAreNotDrawn) {
  RunRecord run = sweep();
  for (CellResult& cell : run.cells) cell.variants[1].validity = Validity::invalid;
  EXPECT_EQ(render_lessons(run).size(), 1U);
}

TEST(Lessons, ThePictureIsXmlWithEveryPointAndTheLineOfNoGain) {
  const std::string picture = render_lessons(sweep())[1].text;
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(picture.c_str())) << picture;
  EXPECT_EQ(document.select_nodes("//circle").size(), 3U);
  EXPECT_EQ(document.select_nodes("//*[@class='unity']").size(), 1U);
  EXPECT_NE(picture.find(">n<"), std::string::npos);  // the axis is what was swept, not m
  EXPECT_EQ(picture.find("m=3"), std::string::npos);  // and what never changes is not repeated
}

TEST(Lessons, ASettingThatChangesNamesItsLines) {
  RunRecord run = sweep();
  for (CellResult cell : sweep().cells) {
    cell.parameters.replace(cell.parameters.find("m=3"), 3, "m=5");
    run.cells.push_back(cell);
  }
  const std::string picture = render_lessons(run)[1].text;
  EXPECT_NE(picture.find("tiled m=3"), std::string::npos);
  EXPECT_NE(picture.find("tiled m=5"), std::string::npos);
}

TEST(Lessons, FilesOfHostileNamesStayInTheirFolder) {
  RunRecord run = sweep();
  for (CellResult& cell : run.cells) cell.workload = "../../etc/passwd";
  for (const LessonPage& page : render_lessons(run))
    EXPECT_EQ(page.file.find_first_of("/\\"), std::string::npos) << page.file;
  for (const LessonPage& page : render_lessons(hostile_run())) {
    EXPECT_EQ(page.text.find("<script"), std::string::npos);
    EXPECT_EQ(page.text.find("<img"), std::string::npos);
  }
}

}  // namespace
}  // namespace aisp::report
