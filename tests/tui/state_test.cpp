// SPDX-License-Identifier: Apache-2.0
// Keys in, state out: every page is reached, and every way out of it, without a terminal.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/tui/made_up.h"

namespace aisp::tui {
namespace {

using Kind = Key::Kind;
const Key kDown{.kind = Kind::down}, kUp{.kind = Kind::up}, kEnter{.kind = Kind::enter},
    kEscape{.kind = Kind::escape}, kRight{.kind = Kind::right}, kEnd{.kind = Kind::end},
    kHome{.kind = Kind::home}, kBack{.kind = Kind::backspace};

class Pages : public ::testing::Test {
 protected:
  MadeUpLibrary library;
  State state = state_of(library);
  Effects press(const std::vector<Key>& keys) { return tui::press(state, library, keys); }
};

TEST_F(Pages, AreReachedByNumberAndLeftByEscape) {
  press({typed('2')});
  EXPECT_EQ(state.page(), Page::results);
  press({typed('3')});
  EXPECT_EQ(state.page(), Page::live);
  press({typed('1'), typed('?')});
  EXPECT_EQ(state.page(), Page::help);
  press({kEscape});
  EXPECT_EQ(state.page(), Page::workloads);
  press({kEscape, kEscape});
  EXPECT_EQ(state.page(), Page::workloads) << "there is nothing behind the first page";
}

TEST_F(Pages, ListsStayWithinTheirRows) {
  press({kUp});
  EXPECT_EQ(state.workload_list.chosen, 0);
  press({kEnd, kDown, kDown});
  EXPECT_EQ(state.workload_list.chosen, static_cast<int>(state.workloads.size()) - 1);
  press({kHome, typed('j'), typed('j'), typed('k')});
  EXPECT_EQ(state.workload_list.chosen, 1);
}

TEST_F(Pages, FilterByAllWordsInAnyCase) {
  const std::string id = state.workloads.back().id;
  press({typed('/')});
  EXPECT_TRUE(state.typing);
  press(typed("CPU tHOUGHT-" + std::to_string(state.workloads.size() - 1) + "."));
  ASSERT_EQ(shown_workloads(state).size(), 1u);
  EXPECT_EQ(state.workloads[shown_workloads(state).front()].id, id);
  press(typed("q?1"));
  EXPECT_EQ(state.page(), Page::workloads) << "what is typed is text and no command";
  EXPECT_TRUE(shown_workloads(state).empty());
  press({kBack, kBack, kBack, kEnter});
  EXPECT_FALSE(state.typing);
  EXPECT_EQ(shown_workloads(state).size(), 1u);
  press({kEscape});
  EXPECT_EQ(shown_workloads(state).size(), state.workloads.size());
}

TEST_F(Pages, AFilterKeepsTheRowThatIsStillShown) {
  ASSERT_GE(state.workloads.size(), 3u);
  press({kEnd});
  const std::size_t last = state.workloads.size() - 1;
  press({typed('/')});
  press(typed("Thought-" + std::to_string(last)));
  const auto chosen = [&] {
    return shown_workloads(state)[static_cast<std::size_t>(state.workload_list.chosen)];
  };
  EXPECT_EQ(chosen(), last);
  press({kEnter, kEscape});
  ASSERT_EQ(shown_workloads(state).size(), state.workloads.size());
  EXPECT_EQ(chosen(), last) << "without the filter it is where it was";
  press({kUp, typed('/')});
  press(typed("Thought-"));
  EXPECT_EQ(chosen(), last - 1);
}

TEST_F(Pages, BackspaceTakesAWholeCharacter) {
  press({typed('/'), Key{.kind = Kind::text, .text = "µ"}, kBack});
  EXPECT_EQ(state.workload_filter, "");
}

TEST_F(Pages, EnterOnAWorkloadShowsItsResultsAlone) {
  press({kDown, kEnter});
  EXPECT_EQ(state.page(), Page::results);
  for (const std::size_t i : shown_results(state))
    EXPECT_EQ(state.results[i].workload, state.workloads[1].id);
  press({kEscape});
  EXPECT_EQ(state.page(), Page::workloads);
  press({typed('2')});
  EXPECT_EQ(shown_results(state).size(), state.results.size());
}

TEST_F(Pages, OpenAResultAtTheVariantThatWasRejected) {
  const auto rejected = std::ranges::find(state.results, Validity::invalid, &store::CellSummary::validity);
  ASSERT_NE(rejected, state.results.end());
  state.result_list.chosen = static_cast<int>(rejected - state.results.begin());
  const Effects asked = press({typed('2'), kEnter});
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].first, rejected->seq);
  ASSERT_TRUE(state.open.has_value());
  const VariantResult& shown = state.open->cell.variants[static_cast<std::size_t>(state.open->variant)];
  EXPECT_EQ(shown.validity, Validity::invalid);
  const int before = state.open->variant, count = static_cast<int>(state.open->cell.variants.size());
  press({kRight});
  EXPECT_EQ(state.open->variant, (before + 1) % count);
  press({Key{.kind = Kind::left}, typed('e')});
  EXPECT_EQ(state.page(), Page::explain);
  press({kEscape, kEscape});
  EXPECT_EQ(state.page(), Page::results);
}

TEST_F(Pages, WhatTheBaselineSharesIsNotWhatIsShownFirst) {
  CellResult cell = *library.cell(1);
  ASSERT_GE(cell.variants.size(), 3u);
  for (std::size_t i = 0; i < cell.variants.size(); ++i) {
    cell.variants[i].skipped.clear();
    cell.variants[i].validity = Validity::invalid;
    cell.variants[i].findings = {{.guard = i == 2 ? "output_written" : "enough_samples",
                                  .level = Level::reject,
                                  .because = "because"}};
  }
  show_result(state, state.results[0], cell);
  EXPECT_EQ(state.open->variant, 2);
  cell.variants[2].findings[0].guard = "enough_samples";
  show_result(state, state.results[0], cell);
  EXPECT_EQ(state.open->variant, 0) << "all alike: the first";
}

TEST_F(Pages, CompareTwoMarkedResults) {
  press({typed('2'), typed('c')});
  EXPECT_NE(state.notice, "") << "who has marked nothing is told how";
  press({typed('m'), kDown, typed(' ')});
  EXPECT_EQ(state.marked.size(), 2u);
  const Effects asked = press({typed('c')});
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].kind, Effect::Kind::compare);
  EXPECT_EQ(asked[0].first, state.results[0].seq);
  EXPECT_EQ(asked[0].second, state.results[1].seq);
  press({kDown, typed('m')});
  EXPECT_EQ(state.marked, (std::vector{state.results[1].seq, state.results[2].seq})) << "the oldest goes";
  press({typed('m')});
  EXPECT_EQ(state.marked.size(), 1u);
}

TEST_F(Pages, ARunIsStartedAsChosen) {
  press({typed('r')});
  ASSERT_EQ(state.page(), Page::setup);
  press({Key{.kind = Kind::left}, kDown, Key{.kind = Kind::left}});
  const Effects asked = press({kEnter});
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].words[0], "run");
  EXPECT_EQ(asked[0].words[1], state.workloads[0].id);
  EXPECT_EQ(asked[0].words[2], "--suite=small");
  EXPECT_EQ(asked[0].words[3], "--cell-seconds=5");
  EXPECT_EQ(state.page(), Page::live);
  ASSERT_TRUE(state.live && state.live->running());
  EXPECT_TRUE(press({typed('1'), typed('r'), kEnter}).empty()) << "one at a time";
  EXPECT_NE(state.notice, "");
  const Effects ended = press({typed('3'), typed('x')});
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].kind, Effect::Kind::end);
}

TEST(RunSetup, IsOfTheResultThatIsMeasuredAgain) {
  RunRecord run = report::example_run();
  run.cells[0].parameters = "n=1024 threads=1";
  run.cells[0].cache = CacheMode::cold;
  MadeUpLibrary library(run);
  State state = state_of(library);
  const auto press = [&](const std::vector<Key>& keys) { return tui::press(state, library, keys); };
  for (const bool opened : {false, true}) {
    press({typed('2')});
    if (opened) press({kEnter});
    ASSERT_EQ(state.page(), opened ? Page::result : Page::results);
    press({typed('r')});
    ASSERT_EQ(state.page(), Page::setup);
    const std::vector<std::string> words = state.setup.words();
    EXPECT_EQ(std::ranges::count(words, "--cache=cold"), 1) << "on a CPU a run is hot by itself";
    EXPECT_EQ(words[1], state.results[0].workload);
    EXPECT_EQ(words[2], "--param=n=1024");
    EXPECT_EQ(words[3], "--param=threads=1");
    EXPECT_EQ(std::ranges::count(words, "--suite=quick"), 0);
    press({Key{.kind = Kind::right}, Key{.kind = Kind::right}});
    EXPECT_EQ(state.setup.words()[2], "--suite=quick") << "the other sizes can still be chosen";
  }
}

TEST(RunSetup, IsOnTheDeviceAndInTheCacheModeThatWereMeasured) {
  const auto words = [](const std::string& parameters, const std::string& device, CacheMode cache) {
    CellResult cell;
    cell.workload = "ch07/x";
    cell.parameters = parameters;
    cell.device = device;
    cell.cache = cache;
    return setup_again(cell).words();
  };
  for (const char* device : {"cuda:1", "cuda:7"})
    EXPECT_EQ(words("n=8", device, CacheMode::cold).back(), std::string("--device=") + device);
  EXPECT_EQ(std::ranges::count(words("n=8", "cuda:0", CacheMode::hot), "--cache=hot"), 1)
      << "on a GPU a run is cold by itself";
  EXPECT_EQ(std::ranges::count(words("n=8", "cpu", CacheMode::steady), "--cache=steady"), 1);
  EXPECT_EQ(words("", "cpu", CacheMode::hot)[2], "--suite=quick");
  EXPECT_EQ(words("", "cpu", CacheMode::hot).back(), "--device=cpu");
}

TEST_F(Pages, QuitFromEverywhereButAFilter) {
  for (const char page : {'1', '2', '3', '?'}) {
    const Effects asked = press({typed(page), typed('q')});
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].kind, Effect::Kind::quit);
  }
}

TEST_F(Pages, KeepTheRowWhenNewResultsCome) {
  press({typed('2'), kDown, typed('m')});
  const std::int64_t chosen = state.results[1].seq;
  std::vector<store::CellSummary> more = state.results;
  more.insert(more.begin(), more.front());
  more.front().seq = 99;
  take_results(state, more);
  EXPECT_EQ(state.results[static_cast<std::size_t>(state.result_list.chosen)].seq, chosen);
  EXPECT_EQ(state.marked, std::vector{chosen});
  take_results(state, {});
  EXPECT_EQ(state.result_list.chosen, 0);
  EXPECT_TRUE(state.marked.empty());
}

TEST(ManyResults, OfAWorkloadAreAllListedWhenTheyAreOpened) {
  LargeLibrary library;
  State state;
  state.workloads = library.workloads();
  ASSERT_TRUE(read_results(state, library));
  ASSERT_TRUE(state.cut);
  ASSERT_EQ(state.results.size(), kMostListed);
  const std::string old = state.workloads.back().id;
  press(state, library, {kEnd, kEnter});
  ASSERT_EQ(state.page(), Page::results);
  EXPECT_EQ(shown_results(state).size(), static_cast<std::size_t>(LargeLibrary::kOld));
  // More words choose among them; marks and news leave them there.
  press(state, library, {typed('m'), typed('/')});
  press(state, library, typed(" n=" + std::to_string(LargeLibrary::kOld - 1)));
  press(state, library, {kEnter});
  EXPECT_EQ(shown_results(state).size(), 1u);
  ASSERT_TRUE(read_results(state, library));
  EXPECT_EQ(shown_results(state).size(), 1u);
  EXPECT_EQ(state.marked.size(), 1u);
  press(state, library, {kEscape});
  EXPECT_EQ(state.page(), Page::workloads);
  EXPECT_EQ(state.results.size(), kMostListed) << "the newest again";
  EXPECT_TRUE(state.marked.empty()) << "what is not listed is not compared";
  press(state, library, {typed('2'), typed('/')});
  press(state, library, typed(old));
  EXPECT_TRUE(shown_results(state).empty()) << "words alone choose among what is listed";
}

TEST(ManyResults, AreNotAskedForOneByOneWhereAllAreListed) {
  MadeUpLibrary library;
  State state = state_of(library);
  EXPECT_TRUE(press(state, library, {kEnter}).empty());
  EXPECT_TRUE(state.listed.empty());
}

TEST_F(Pages, OnlyRowsOnTheScreenAreRead) {
  state.details.clear();
  EXPECT_TRUE(unread_rows(state, kSmall).empty()) << "the page of workloads needs none";
  press({typed('2')});
  const auto rows = static_cast<std::size_t>(list_rows(state, kSmall));
  EXPECT_EQ(unread_rows(state, kSmall).size(), std::min(rows, state.results.size()));
}

}  // namespace
}  // namespace aisp::tui
