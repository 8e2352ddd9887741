// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "aisp/report/row.h"
#include "aisp/tui/filter.h"
#include "aisp/tui/state.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using Kind = Key::Kind;

constexpr std::size_t kLongestFilter = 60;

bool has_list(Page page) { return page == Page::workloads || page == Page::results; }

std::string& filter_of(State& state) {
  return state.page() == Page::workloads ? state.workload_filter : state.result_filter;
}

List& list_of(State& state) {
  return state.page() == Page::workloads ? state.workload_list : state.result_list;
}

int count_of(const State& state) {
  return static_cast<int>(state.page() == Page::workloads ? shown_workloads(state).size()
                                                          : shown_results(state).size());
}

/// The row of the list one is at, as a place in what the filter chooses from.
std::optional<std::size_t> chosen_row(State& state) {
  const auto shown = state.page() == Page::workloads ? shown_workloads(state) : shown_results(state);
  const auto at = static_cast<std::size_t>(list_of(state).chosen);
  return at < shown.size() ? std::optional(shown[at]) : std::nullopt;
}

/// Another filter: whoever is at a row stays there as long as it is shown.
void set_filter(State& state, const std::string& filter) {
  const std::optional<std::size_t> row = chosen_row(state);
  filter_of(state) = filter;
  // More words about the workload keep what was asked for it.
  if (state.page() == Page::results && !filter.starts_with(state.listed)) list_newest(state);
  const auto shown = state.page() == Page::workloads ? shown_workloads(state) : shown_results(state);
  const auto now = row ? std::ranges::find(shown, *row) : shown.end();
  if (now != shown.end()) list_of(state).chosen = static_cast<int>(now - shown.begin());
}

void go_to(State& state, Page page) { state.pages = {{page}}; }

void open_page(State& state, Page page) {
  if (state.page() == page) {
    state.pages.back().scroll = 0;
  } else {
    state.pages.push_back({page});
  }
}

const harness::WorkloadInfo* chosen_workload(const State& state) {
  const auto shown = shown_workloads(state);
  const auto at = static_cast<std::size_t>(state.workload_list.chosen);
  return at < shown.size() ? &state.workloads[shown[at]] : nullptr;
}

const store::CellSummary* chosen_result(const State& state) {
  const auto shown = shown_results(state);
  const auto at = static_cast<std::size_t>(state.result_list.chosen);
  return at < shown.size() ? &state.results[shown[at]] : nullptr;
}

void erase_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

void type(State& state, const Key& key, Size size) {
  std::string filter = filter_of(state);
  if (key.kind == Kind::enter) {
    state.typing = false;
  } else if (key.kind == Kind::escape) {
    state.typing = false;
    filter.clear();
  } else if (key.kind == Kind::backspace) {
    erase_last_character(filter);
  } else if (key.kind == Kind::text) {
    if (filter.size() + key.text.size() <= kLongestFilter) filter += key.text;
  } else {
    list_of(state).move(key, count_of(state), list_rows(state, size));
    return;
  }
  set_filter(state, filter);
  list_of(state).settle(count_of(state), list_rows(state, size));
}

/// Of a workload that is no longer there, the device is all that is missing: the CPU's is tried.
void begin_setup(State& state, const std::string& workload, DeviceKind device) {
  state.setup = setup_for(workload, device);
  open_page(state, Page::setup);
}

void toggle_mark(State& state, std::int64_t seq) {
  const auto found = std::ranges::find(state.marked, seq);
  if (found != state.marked.end()) {
    state.marked.erase(found);
    return;
  }
  if (state.marked.size() == 2) state.marked.erase(state.marked.begin());
  state.marked.push_back(seq);
}

Effects on_workloads(State& state, const Key& key) {
  const harness::WorkloadInfo* workload = chosen_workload(state);
  if (workload == nullptr) return {};
  if (key.kind == Kind::enter) {
    state.result_filter = workload->id;
    state.result_list = {};
    state.pages = {{Page::workloads}, {Page::results}};
    list_newest(state);
    if (state.cut) return {{.kind = Effect::Kind::list, .words = {workload->id}}};
  } else if (key.is('r')) {
    begin_setup(state, workload->id, workload->device);
  }
  return {};
}

Effects on_results(State& state, const Key& key) {
  const store::CellSummary* row = chosen_result(state);
  if (key.is('c')) {
    if (state.marked.size() == 2)
      return {{.kind = Effect::Kind::compare, .first = state.marked[0], .second = state.marked[1]}};
    state.notice = "mark two results of one workload and size with m, then c compares them";
    return {};
  }
  if (row == nullptr) return {};
  if (key.kind == Kind::enter) return {{.kind = Effect::Kind::open, .first = row->seq}};
  if (key.is('m') || key.is(' ')) toggle_mark(state, row->seq);
  if (key.is('r')) return {{.kind = Effect::Kind::again, .first = row->seq}};
  return {};
}

void on_result(State& state, const Key& key) {
  if (!state.open) return;
  const int count = static_cast<int>(state.open->cell.variants.size());
  const bool next = key.kind == Kind::right || key.kind == Kind::tab || key.is('l');
  const bool previous = key.kind == Kind::left || key.is('h');
  if ((next || previous) && count > 0)
    state.open->variant = (state.open->variant + (next ? 1 : count - 1)) % count;
  if (key.is('r')) show_setup(state, state.open->cell);
  if (key.is('e') && count > 0) {
    const Finding* finding =
        report::decisive_finding(state.open->cell.variants[static_cast<std::size_t>(state.open->variant)]);
    if (finding == nullptr) {
      state.notice = "no guard objected to this variant: there is nothing to explain";
    } else {
      state.explained = finding->guard;
      open_page(state, Page::explain);
    }
  }
}

Effects on_live(State& state, const Key& key) {
  if (!state.live) return {};
  if (key.is('x') && state.live->running()) return {{.kind = Effect::Kind::end}};
  if (key.kind != Kind::enter || state.live->running()) return {};
  const auto found = std::ranges::find(state.results, state.live->now.run, &store::CellSummary::run);
  if (found != state.results.end()) return {{.kind = Effect::Kind::open, .first = found->seq}};
  state.notice = "the run stored no result; what it said is above";
  return {};
}

Effects on_setup(State& state, const Key& key) {
  if (key.kind != Kind::enter) {
    state.setup.move(key);
    return {};
  }
  if (state.live && state.live->running()) {
    state.notice = "a run is in progress: 3 shows it, and x ends it there";
    return {};
  }
  return {{.kind = Effect::Kind::start, .words = state.setup.words()}};
}

void scroll(State& state, const Key& key, Size size) {
  const int most = most_scroll(state, size);
  List lines{.chosen = state.pages.back().scroll, .top = 0};
  // A list of as many rows as there are places to scroll to.
  if (lines.move(key, most + 1, body_rows(size))) state.pages.back().scroll = lines.chosen;
}

void back(State& state) {
  if (state.pages.size() > 1) {
    // The words were the workload's name, set when its results were opened.
    if (state.page() == Page::results) set_filter(state, "");
    state.pages.pop_back();
  } else if (has_list(state.page())) {
    set_filter(state, "");
  }
}

Effects on_page(State& state, const Key& key, Size size) {
  switch (state.page()) {
    case Page::workloads:
      return on_workloads(state, key);
    case Page::results:
      return on_results(state, key);
    case Page::setup:
      return on_setup(state, key);
    case Page::live:
      scroll(state, key, size);
      return on_live(state, key);
    case Page::result:
      on_result(state, key);
      break;
    case Page::explain:
    case Page::compare:
    case Page::help:
      break;
  }
  scroll(state, key, size);
  return {};
}

}  // namespace

Effects update(State& state, const Key& key, Size size) {
  state.notice.clear();
  if (state.typing) {
    type(state, key, size);
    return {};
  }
  if (key.is('q')) return {{.kind = Effect::Kind::quit}};
  if (key.is('?')) {
    open_page(state, Page::help);
  } else if (key.is('1') || key.is('2') || key.is('3')) {
    go_to(state, key.is('1') ? Page::workloads : key.is('2') ? Page::results : Page::live);
  } else if (key.kind == Kind::escape || key.kind == Kind::backspace) {
    back(state);
  } else if (has_list(state.page()) && key.is('/')) {
    state.typing = true;
  } else if (has_list(state.page()) && list_of(state).move(key, count_of(state), list_rows(state, size))) {
    return {};
  } else {
    return on_page(state, key, size);
  }
  return {};
}

}  // namespace aisp::tui
