// SPDX-License-Identifier: Apache-2.0
// State in, lines out: every page fits every size, says what it must, and lets nobody's text steer the
// terminal.
#include <algorithm>

#include <gtest/gtest.h>

#include "aisp/report/text.h"
#include "tests/tui/made_up.h"

namespace aisp::tui {
namespace {

const Key kEnter{.kind = Key::Kind::enter};

int invalid_row(const State& state) {
  const auto found = std::ranges::find(state.results, Validity::invalid, &store::CellSummary::validity);
  return static_cast<int>(found - state.results.begin());
}

/// One state for each page there is.
std::vector<State> every_page(Library& library) {
  const State start = state_of(library);
  std::vector<State> all(9, start);
  press(all[1], library, {typed('2')});
  press(all[2], library, {typed('3')});
  press(all[3], library, {typed('?')});
  press(all[4], library, {typed('r')});
  all[5].result_list.chosen = invalid_row(start);
  press(all[5], library, {typed('2'), kEnter});
  all[6].result_list.chosen = invalid_row(start);
  press(all[6], library, {typed('2'), kEnter, typed('e')});
  show_comparison(all[7], *library.compare(start.results[0], start.results[0]));
  show_run(all[8], {"run", "ch07/transpose"});
  report::ProgressEvent event;
  event.event = "look";
  event.run = "20261116-061503-7258";
  event.cell = event.cells = 1;
  event.share = 0.5;
  event.look = 1;
  event.looks = 5;
  event.precision = 0.01;
  event.rounds = 24;
  event.workload = start.results[0].workload;
  event.parameters = start.results[0].parameters;
  event.baseline = library.cell(1)->variants.front().name;
  event.variants = report::looked_variants(*library.cell(1), false);
  all[8].live->take(report::progress_line(event));
  all[8].live->take("measuring this machine's ceilings \x1b[31monce");
  return all;
}

TEST(View, EveryPageFillsEverySizeExactly) {
  MadeUpLibrary library;
  for (const State& state : every_page(library)) {
    for (const Size size : {kSmall, kLarge, kLeast, Size{81, 25}, Size{240, 70}, Size{59, 24}, Size{80, 14},
                            Size{1, 1}, Size{10, 3}}) {
      const Lines lines = draw(state, size);
      ASSERT_EQ(static_cast<int>(lines.size()), size.rows);
      for (const Line& line : lines)
        EXPECT_EQ(width_of(line), size.columns) << plain_text({line}) << size.columns << "x" << size.rows;
    }
  }
}

TEST(View, HostileTextSteersNothing) {
  MadeUpLibrary library(report::hostile_run());
  for (const State& state : every_page(library)) {
    for (const Size size : {kSmall, kLarge}) {
      for (const Line& line : draw(state, size)) {
        EXPECT_EQ(width_of(line), size.columns);
        for (const Span& span : line.spans) {
          EXPECT_EQ(report::visible(span.text), span.text);
        }
      }
    }
  }
}

TEST(View, ATerminalThatIsTooSmallIsTold) {
  MadeUpLibrary library;
  const State state = state_of(library);
  EXPECT_NE(screen(state, {.columns = 59, .rows = 24}).find("needs at least 60x15"), std::string::npos);
  EXPECT_NE(screen(state, {.columns = 80, .rows = 14}).find("needs at least 60x15"), std::string::npos);
  EXPECT_EQ(screen(state, kLeast).find("needs at least"), std::string::npos);
}

TEST(View, AnEmptyStoreSaysWhatToDo) {
  MadeUpLibrary library;
  State state = state_of(library);
  take_results(state, {});
  EXPECT_NE(screen(state).find("r measures the chosen workload"), std::string::npos);
  press(state, library, {typed('2')});
  EXPECT_NE(screen(state).find("There are no results yet"), std::string::npos);
  EXPECT_NE(screen(state).find("results.db"), std::string::npos);
}

TEST(View, APartOfTheResultsIsCalledSoAndNotCounted) {
  LargeLibrary library;
  State state;
  state.workloads = library.workloads();
  EXPECT_NE(screen(state).find("results"), std::string::npos) << "counts, where all are listed";
  ASSERT_TRUE(read_results(state, library));
  EXPECT_EQ(screen(state).find("  results  "), std::string::npos) << screen(state);
  EXPECT_EQ(screen(state).find("2000"), std::string::npos) << screen(state);
  EXPECT_NE(screen(state).find("of the newest 2,000 cells"), std::string::npos) << screen(state);
  for (const Size size : {kSmall, kLarge}) {
    press(state, library, {typed('2')}, size);
    EXPECT_NE(screen(state, size).find("[2 Results]"), std::string::npos);
    EXPECT_NE(screen(state, size).find("the newest 2,000 cells"), std::string::npos) << screen(state, size);
  }
  press(state, library, {typed('/'), typed('n'), typed('='), typed('9'), kEnter});
  EXPECT_NE(screen(state).find("of newest 2,000"), std::string::npos) << screen(state);
  press(state, library, {typed('1'), {.kind = Key::Kind::end}, kEnter});
  EXPECT_NE(screen(state).find("': 7"), std::string::npos) << screen(state);
  press(state, library, {typed('1'), {.kind = Key::Kind::home}, kEnter});
  EXPECT_NE(screen(state).find("of its newest 2,000"), std::string::npos) << screen(state);
}

TEST(View, AnInvalidRowIsRedAndSaysWhy) {
  MadeUpLibrary library;
  State state = state_of(library);
  state.result_list.chosen = invalid_row(state);
  press(state, library, {typed('2')});
  const Lines lines = draw(state, kSmall);
  const auto red = [](const Line& line) {
    return std::ranges::any_of(line.spans, [](const Span& s) {
      return s.style == Style::bad && s.text.find("invalid") != std::string::npos;
    });
  };
  EXPECT_GE(std::ranges::count_if(lines, red), 2) << "the row and the reason below";
  const RowDetail& detail =
      state.details.at(state.results[static_cast<std::size_t>(state.result_list.chosen)].seq);
  ASSERT_FALSE(detail.reasons.empty());
  EXPECT_NE(screen(state).find(detail.reasons.front().text.substr(0, 30)), std::string::npos);
  EXPECT_GT(detail.rejected, 0);
}

TEST(View, AResultShowsTheEvidenceOfItsGuards) {
  MadeUpLibrary library;
  State state = state_of(library);
  state.result_list.chosen = invalid_row(state);
  press(state, library, {typed('2'), kEnter});
  const VariantResult& variant = state.open->cell.variants[static_cast<std::size_t>(state.open->variant)];
  const std::string all = plain_text(result_page(state, kLarge));
  EXPECT_NE(all.find("Guards of " + variant.name), std::string::npos);
  const auto reject = std::ranges::find(variant.findings, Level::reject, &Finding::level);
  ASSERT_NE(reject, variant.findings.end());
  EXPECT_NE(all.find(reject->because.substr(0, 40)), std::string::npos);
  EXPECT_NE(all.find("to do: "), std::string::npos);
  EXPECT_LT(all.find("reject  "), all.find("pass  ")) << "what objects comes first";
}

TEST(View, TheHeaderSaysWhereOneIsAndTheLastLineWhatToPress) {
  MadeUpLibrary library;
  State state = state_of(library);
  EXPECT_NE(screen(state).find("[1 Workloads]"), std::string::npos);
  press(state, library, {typed('2')});
  EXPECT_NE(screen(state).find("[2 Results]"), std::string::npos);
  for (const State& page : every_page(library)) {
    const Lines lines = draw(page, kSmall);
    const std::string last = plain_text({lines.back()});
    EXPECT_NE(last.find("q quit"), std::string::npos) << last;
    EXPECT_EQ(last.find("…"), std::string::npos) << "all keys fit 80 columns: " << last;
  }
}

TEST(View, SizesOfOneWorkloadAreToldApart) {
  RunRecord run = report::example_run();
  run.cells.resize(2);
  for (CellResult& cell : run.cells) cell.workload = "ch16/attention_with_a_long_name";
  run.cells[0].parameters = "rows=64 cols=1024";
  run.cells[1].parameters = "rows=64 cols=4096";
  MadeUpLibrary library(run);
  State state = state_of(library);
  press(state, library, {typed('2')});
  for (RowDetail* detail : {&state.details.at(1), &state.details.at(2)}) {
    detail->speedup = "12.34x [12.10, 12.58]";
    detail->verdict.text = "inconclusive";
  }
  const Lines lines = draw(state, kSmall);
  ASSERT_NE(plain_text({lines[1]}).find("size"), std::string::npos) << screen(state);
  EXPECT_NE(plain_text({lines[2]}).find("rows=64 cols=10"), std::string::npos) << screen(state);
  EXPECT_NE(plain_text({lines[3]}).find("rows=64 cols=40"), std::string::npos) << screen(state);
  EXPECT_NE(plain_text({lines[2]}).find("inconclusive"), std::string::npos) << screen(state);
  EXPECT_NE(screen(state, kLeast).find("rows=64"), std::string::npos) << screen(state, kLeast);
}

TEST(View, ARefusalIsShownWhole) {
  MadeUpLibrary library;
  State state = state_of(library);
  press(state, library, {typed('2')});
  state.notice =
      "only results of one workload and size can be compared; the filter shows them: type its name and "
      "size after /";
  const Lines lines = draw(state, kSmall);
  ASSERT_EQ(static_cast<int>(lines.size()), kSmall.rows);
  EXPECT_EQ(screen(state).find("…\n", screen(state).find("only results")), std::string::npos)
      << screen(state);
  EXPECT_NE(screen(state).find("after /"), std::string::npos) << screen(state);
}

TEST(View, LongPagesScrollToTheirEndAndNoFurther) {
  MadeUpLibrary library;
  State state = state_of(library);
  press(state, library, {typed('?')});
  const std::string top = screen(state, kLeast);
  EXPECT_NE(top.find("more line"), std::string::npos);
  update(state, {.kind = Key::Kind::end}, kLeast);
  EXPECT_EQ(state.pages.back().scroll, most_scroll(state, kLeast));
  EXPECT_NE(screen(state, kLeast).find("invalid"), std::string::npos);
  EXPECT_EQ(screen(state, kLeast).find("more line"), std::string::npos);
  update(state, {.kind = Key::Kind::down}, kLeast);
  EXPECT_EQ(state.pages.back().scroll, most_scroll(state, kLeast));
  update(state, {.kind = Key::Kind::home}, kLeast);
  EXPECT_EQ(screen(state, kLeast), top);
}

}  // namespace
}  // namespace aisp::tui
