// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "aisp/report/text.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Table, NoLineIsWiderThanTheTerminal) {
  for (const RunRecord& run : {example_run(), hostile_run()}) {
    for (const bool ladder : {false, true}) {
      for (int width = 80; width <= 200; width += 7) {
        for (const std::string& line : lines_of(render_table(run, {.width = width, .ladder = ladder}))) {
          EXPECT_LE(display_width(line), width) << line;
        }
      }
    }
  }
}

TEST(Table, ALadderSaysWhatTimedIt) {
  RunRecord run = example_run();
  EXPECT_EQ(render_table(run, {.width = 300, .ladder = true}).find("call latency"), std::string::npos);
  for (VariantResult& v : run.cells.front().variants) v.evidence.timing.instrument = Instrument::call;
  EXPECT_NE(render_table(run, {.width = 300, .ladder = true}).find(", call latency, "), std::string::npos);
}

TEST(Table, EveryCellAndVerdictIsShownAtEveryWidth) {
  for (const int width : {0, 40, 80, 120, 160, 300}) {
    const std::string text = render_table(example_run(), {.width = width});
    for (const char* word :
         {"ch09/sgemm", "ch07/transpose", "ch07/reduction", "ch08/histogram", "mine/fast_softmax",
          "ch02/false_sharing", "ch16/continuous_batching", "faster", "equivalent", "inconclusive", "invalid",
          "failed", "unproven", "smaller", "SIGSEGV", "output_written", "54.3x [53.8, 54.8]"}) {
      EXPECT_NE(text.find(word), std::string::npos) << word << " at " << width;
    }
  }
}

TEST(Table, SizesAreNeverCut) {
  RunRecord run = example_run();
  run.cells.resize(2);
  run.cells[1] = run.cells[0];
  run.cells[0].parameters = "channels=64 in_flight=8 steps=250";
  run.cells[1].parameters = "channels=64 in_flight=8 steps=1000";
  for (const int width : {60, 80, 100, 120}) {
    const std::string text = render_table(run, {.width = width});
    for (const CellResult& cell : run.cells)
      EXPECT_NE(text.find(cell.parameters), std::string::npos) << width << "\n" << text;
  }
}

TEST(Table, SaysThatTheMachineWasBusyAndWhatCannotBeTold) {
  RunRecord run = example_run();
  EXPECT_EQ(render_table(run, {}).find("busy"), std::string::npos);
  EXPECT_NE(render_table(run, {.width = 300})
                .find("6 valid (1 of them inconclusive: ch08/histogram n=1048576 bins=256), 1 unproven"),
            std::string::npos)
      << render_table(run, {.width = 300});
  run.cells[0].variants[0].findings.push_back(
      {.guard = "load_low", .level = Level::note, .because = "3 runnable tasks per core before the run"});
  EXPECT_NE(render_table(run, {.width = 300}).find("the machine was busy: 3 runnable tasks per core"),
            std::string::npos);
}

TEST(Table, IntervalsOfTimesAreTheLastToGoAndNeverWithoutASign) {
  RunRecord run = example_run();
  CellResult& cell = run.cells.front();
  cell.variants[2].time_ns = Estimate{18e6, 10e6, 65e6};
  for (const bool ladder : {false, true}) {
    for (int width = 40; width <= 200; ++width) {
      const std::string text = render_table(run, {.width = width, .ladder = ladder});
      const bool shown = text.find("18 ms [10, 65]") != std::string::npos;
      std::string flat;  // the sign may be wrapped
      for (const std::string& line : lines_of(text))
        flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + " ";
      const bool said = flat.find("the intervals of the figures.") != std::string::npos;
      EXPECT_TRUE(shown || said) << width << "\n" << text;
      EXPECT_EQ(text.find("18 ms ±"), std::string::npos) << text;
      EXPECT_TRUE(shown || width < 100) << width << "\n" << text;
    }
  }
}

TEST(Table, AWideTerminalHoldsEveryColumn) {
  const std::string text = render_table(example_run(), {.width = 136});
  for (const char* header : {"baseline", "best", "time", "ratio", "ceiling", "anchor", "memory", "verdict"}) {
    EXPECT_NE(text.substr(0, text.find('\n')).find(header), std::string::npos) << header;
  }
  EXPECT_EQ(text.find("Too narrow"), std::string::npos);
}

TEST(Table, TheSameReasonForEveryVariantIsGivenOnce) {
  RunRecord run = example_run();
  CellResult& cell = run.cells.front();
  std::size_t measured = 0;
  for (VariantResult& variant : cell.variants) {
    if (!variant.skipped.empty()) continue;
    ++measured;
    variant.validity = Validity::unproven;
    variant.findings = {{.guard = "no_swap", .level = Level::unknown, .because = "nobody knows"}};
  }
  run.cells.resize(1);
  const std::string text = render_table(run, {.width = 160});
  EXPECT_NE(text.find("all " + std::to_string(measured) + " variants unproven: no_swap: nobody knows"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("nobody knows"), text.rfind("nobody knows")) << text;
}

TEST(Table, NarrowTerminalsSayWhatIsMissing) {
  EXPECT_NE(render_table(example_run(), {.width = 80}).find("Too narrow for: memory, anchor, ceiling"),
            std::string::npos);
}

TEST(Table, ColumnsNobodyFilledAreLeftOut) {
  RunRecord run = example_run();
  run.cells = {run.cells[2]};
  for (VariantResult& variant : run.cells[0].variants) variant.percent_of_ceiling.reset();
  const std::string text = render_table(run, {});
  EXPECT_EQ(text.find("ceiling"), std::string::npos);
  EXPECT_EQ(text.find("anchor"), std::string::npos);
}

TEST(Table, ColoursOnlyOnRequestAndBalanced) {
  EXPECT_EQ(render_table(example_run(), {.color = false, .ladder = true}).find('\x1b'), std::string::npos);
  const std::string text = render_table(example_run(), {.color = true});
  std::size_t begins = 0;
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = text.find("\x1b[", at)) != std::string::npos; ++at) {
    text.compare(at, 4, "\x1b[0m") == 0 ? ++ends : ++begins;
  }
  EXPECT_GT(begins, 5u);
  EXPECT_EQ(begins, ends);
}

TEST(Table, LadderShowsEveryVariantWithItsMark) {
  const std::string text = render_table(example_run(), {.width = 120, .ladder = true});
  for (const char* word :
       {"naive (baseline)", "openblas (anchor)", "onednn (anchor)", "recursive (informational)",
        "onednn skipped: libdnnl.so.3 was not found", "OPENBLAS_CORETYPE=Zen", "tokens_per_second 5630"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace aisp::report
