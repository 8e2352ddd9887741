// SPDX-License-Identifier: Apache-2.0
/// \file
/// All that the terminal interface knows, and the two pure functions that make it one: a key changes the
/// state and may ask for something (update), and the state looks like lines of text (draw, in view.h).
///
///   for (const Effect& effect : update(state, key, size)) fulfil(effect);
///   painter.show(draw(state, size));
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/harness/catalogue.h"
#include "aisp/report/row.h"
#include "aisp/store/query.h"
#include "aisp/tui/key.h"
#include "aisp/tui/library.h"
#include "aisp/tui/line.h"
#include "aisp/tui/list.h"
#include "aisp/tui/live.h"
#include "aisp/tui/run_setup.h"

namespace aisp::tui {

enum class Page : std::uint8_t { workloads, results, live, result, explain, compare, setup, help };

/// What a row of results says beyond its summary; read from its cell when it is first seen.
struct RowDetail {
  std::string best, figure, speedup;
  report::Judgement verdict;
  int rejected = 0;  ///< variants that are invalid or failed
  std::vector<report::Reason> reasons;
};
RowDetail detail_of(const CellResult& cell);
/// Of a cell that cannot be read.
RowDetail detail_of(const Error& error);

struct OpenResult {
  store::CellSummary row;
  CellResult cell;
  int variant = 0;  ///< whose guards are shown
};

struct OpenPage {
  Page page = Page::workloads;
  int scroll = 0;
};

struct State {
  std::string place;  ///< of the store
  std::vector<harness::WorkloadInfo> workloads;
  std::vector<store::CellSummary> results;  ///< newest first
  bool cut = false;    ///< the store may hold older ones: as many are listed as are listed at most
  std::string listed;  ///< then: the workload whose older ones are listed besides
  bool listed_cut = false;
  std::map<std::int64_t, RowDetail> details;
  std::vector<std::int64_t> marked;  ///< two at most

  std::vector<OpenPage> pages{{Page::workloads}};  ///< the last is seen; before it, where Esc leads
  List workload_list, result_list;
  std::string workload_filter, result_filter;
  bool typing = false;  ///< into the filter of the page

  std::optional<OpenResult> open;
  std::string explained;  ///< a guard's id
  std::optional<Comparison> comparison;
  RunSetup setup;
  std::optional<LiveRun> live;
  std::string notice;  ///< shown until the next key

  Page page() const { return pages.back().page; }
};

struct Effect {
  enum class Kind : std::uint8_t { quit, list, open, compare, again, start, end };
  Kind kind = Kind::quit;
  std::int64_t first = 0, second = 0;   ///< cells, for open, compare and again
  std::vector<std::string> words = {};  ///< for start; for list the workload whose results are wanted
};
using Effects = std::vector<Effect>;

Effects update(State& state, const Key& key, Size size);

/// Answers to effects.
void show_result(State& state, const store::CellSummary& row, CellResult cell);
void show_comparison(State& state, Comparison comparison);
/// To measure a cell again, as it was measured: a row of the list does not say in which cache mode.
void show_setup(State& state, const CellResult& cell);
void show_run(State& state, std::vector<std::string> words);
/// What is stored has changed: the newest, and those of State::listed. Rows keep their place and their marks.
void take_results(State& state, std::vector<store::CellSummary> newest,
                  const std::vector<store::CellSummary>& of_listed = {});
/// The same, asked of the library.
Status read_results(State& state, Library& library);
/// Back to the newest of all.
void list_newest(State& state);

/// Those that the filter leaves, as places in State::workloads and State::results.
std::vector<std::size_t> shown_workloads(const State& state);
std::vector<std::size_t> shown_results(const State& state);
/// Rows on the screen whose details are not known yet.
std::vector<std::int64_t> unread_rows(const State& state, Size size);

}  // namespace aisp::tui
