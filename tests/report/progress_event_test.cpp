// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/progress_event.h"

#include <gtest/gtest.h>

#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

TEST(ProgressEvent, ComesBackAsItWasWritten) {
  ProgressEvent event;
  event.event = "look";
  event.cell = 2;
  event.cells = 4;
  event.workload = "ch07/transpose";
  event.share = 0.4375;
  event.variants.resize(1);
  event.variants[0].name = "tiled \x1b[2J\"\n";
  event.variants[0].ratio = Estimate{1.5, 1.25, 1.75};
  const std::string line = progress_line(event);
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "an event is one line, whatever a variant is called";
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  const auto back = read_progress_line(line.substr(0, line.size() - 1));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->event, "look");
  EXPECT_EQ(back->cell, 2);
  EXPECT_EQ(back->share, 0.4375);
  ASSERT_EQ(back->variants.size(), 1u);
  EXPECT_EQ(back->variants[0].name, event.variants[0].name);
  ASSERT_TRUE(back->variants[0].ratio.has_value());
  EXPECT_EQ(back->variants[0].ratio->high, 1.75);
  EXPECT_FALSE(back->variants[0].validity.has_value());
}

TEST(ProgressEvent, IsNotReadFromOtherText) {
  EXPECT_FALSE(read_progress_line("").has_value());
  EXPECT_FALSE(read_progress_line("aisp: measuring").has_value());
  EXPECT_FALSE(read_progress_line("{").has_value());
  EXPECT_FALSE(read_progress_line("{\"event\":\"look\"}").has_value()) << "it does not say what it is";
  EXPECT_FALSE(read_progress_line("{\"schema\":7}").has_value());
  EXPECT_FALSE(read_progress_line("{\"schema\":\"aisp.progress\",\"cell\":\"two\"}").has_value());
  EXPECT_TRUE(read_progress_line("{\"schema\":\"aisp.progress\",\"event\":\"run\"}").has_value());
}

TEST(ProgressEvent, JudgesNothingBeforeTheCellIsFinished) {
  const CellResult cell = example_run().cells.front();
  const auto looked = looked_variants(cell, false), judged = looked_variants(cell, true);
  ASSERT_EQ(looked.size(), cell.variants.size());
  EXPECT_FALSE(looked.front().ratio.has_value()) << "the baseline is compared with nothing";
  EXPECT_FALSE(looked.back().validity.has_value());
  EXPECT_EQ(judged.back().validity, cell.variants.back().validity);
}

}  // namespace
}  // namespace aisp::report
