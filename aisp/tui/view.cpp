// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/view.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/text.h"

namespace aisp::tui {
namespace {

const char* name_of(Page page) {
  switch (page) {
    case Page::workloads:
      return "Workloads";
    case Page::results:
      return "Results";
    case Page::live:
      return "Live run";
    case Page::result:
      return "Result";
    case Page::explain:
      return "Guard";
    case Page::compare:
      return "Comparison";
    case Page::setup:
      return "Start a run";
    case Page::help:
      return "Help";
  }
  return "";
}

/// Where the store holds more results than are listed: how many there are of something nobody counted.
std::string status_of_cut(const State& state) {
  if (state.result_filter.empty()) return fmt::format("the newest {} cells", kMostListedText);
  const std::string of = state.listed.empty() ? fmt::format(" of newest {}", kMostListedText)
                         : state.listed_cut   ? fmt::format(" of its newest {}", kMostListedText)
                                              : "";
  return fmt::format("'{}': {}{}", report::shorten(report::visible(state.result_filter), 18),
                     shown_results(state).size(), of);
}

/// What is said at the right of the header.
std::string status_of(const State& state) {
  if (state.live && state.live->running())
    return fmt::format("running {:.0f}%", 100 * std::clamp(state.live->now.share, 0.0, 1.0));
  const auto counted = [](std::size_t shown, std::size_t all, const std::string& filter) {
    if (filter.empty()) return std::to_string(all);
    return fmt::format("'{}': {} of {}", report::shorten(report::visible(filter), 18), shown, all);
  };
  if (state.page() == Page::workloads)
    return counted(shown_workloads(state).size(), state.workloads.size(), state.workload_filter);
  if (state.page() == Page::results && !state.cut)
    return counted(shown_results(state).size(), state.results.size(), state.result_filter);
  if (state.page() == Page::results) return status_of_cut(state);
  return "";
}

Line header(const State& state, Size size) {
  std::string left = " aisp ";
  const bool leaf = state.page() > Page::live;
  for (const Page page : {Page::workloads, Page::results, Page::live}) {
    const std::string name = std::to_string(static_cast<int>(page) + 1) + " " + name_of(page);
    const bool here = page == state.page();
    left += here ? " [" + name + "]" : "  " + name + " ";
  }
  if (leaf) left += std::string(" [") + name_of(state.page()) + "]";
  const std::string right = status_of(state) + " ";
  const int room = size.columns - report::display_width(right);
  Line line = line_of(report::pad(report::shorten(left, room), room, report::Align::left) + right);
  line.inverse = true;
  return line;
}

constexpr std::size_t kMostNotice = 6;  ///< lines: the page must stay in sight

struct Hint {
  const char *key, *what;
};

std::vector<Hint> hints_of(const State& state) {
  switch (state.page()) {
    case Page::workloads:
      return {{"↑↓", "move"}, {"Enter", "results"}, {"r", "run"}, {"/", "filter"}};
    case Page::results:
      return {{"↑↓", "move"},   {"Enter", "open"}, {"m", "mark"},
              {"c", "compare"}, {"r", "run"},      {"/", "filter"}};
    case Page::live:
      if (state.live && state.live->running()) return {{"x", "end the run"}};
      if (state.live) return {{"Enter", "open its result"}};
      return {};
    case Page::result:
      return {{"↑↓", "scroll"}, {"←→", "variant"}, {"e", "explain"}, {"r", "run again"}, {"Esc", "back"}};
    case Page::setup:
      return {{"↑↓", "field"}, {"←→", "change"}, {"Enter", "start"}, {"Esc", "back"}};
    case Page::explain:
    case Page::compare:
    case Page::help:
      return {{"↑↓", "scroll"}, {"Esc", "back"}};
  }
  return {};
}

Line hint_line(const std::vector<Hint>& hints) {
  Line line;
  for (const Hint& hint : hints) {
    line.spans.push_back({line.spans.empty() ? " " : "  "});
    line.spans.push_back({hint.key, Style::strong});
    line.spans.push_back({std::string(" ") + hint.what});
  }
  return line;
}

/// One line of keys; a notice takes as many as it needs, for what it says is what one pressed a key for.
Lines footer(const State& state, int columns) {
  if (state.typing) {
    const std::string& filter = state.page() == Page::workloads ? state.workload_filter : state.result_filter;
    return {{{{" filter: ", Style::strong},
              {report::visible(filter) + "_"},
              {"   Enter keeps it, Esc clears it", Style::faint}}}};
  }
  if (!state.notice.empty()) {
    Lines notice = paragraph(report::visible(state.notice), columns - 1, Style::caution, " ", " ");
    if (notice.size() > kMostNotice) notice.resize(kMostNotice);
    return notice;
  }
  std::vector<Hint> hints = hints_of(state);
  for (const Hint hint : {Hint{"1-3", "pages"}, Hint{"?", "help"}, Hint{"q", "quit"}}) hints.push_back(hint);
  Line line = hint_line(hints);
  // In a narrow terminal the numbers in the header must do.
  if (width_of(line) <= columns) return {line};
  hints.erase(hints.end() - 3);
  return {hint_line(hints)};
}

Lines page_of(const State& state, Size size) {
  switch (state.page()) {
    case Page::workloads:
      return workloads_page(state, size);
    case Page::results:
      return results_page(state, size);
    case Page::live:
      return live_page(state, size);
    case Page::result:
      return result_page(state, size);
    case Page::explain:
      return explain_page(state, size);
    case Page::compare:
      return compare_page(state, size);
    case Page::setup:
      return setup_page(state, size);
    case Page::help:
      return help_page(size);
  }
  return {};
}

Lines too_small(Size size) {
  Lines lines;
  lines.push_back(line_of(fmt::format("needs at least {}x{}", kLeast.columns, kLeast.rows), Style::strong));
  lines.push_back(line_of(fmt::format("this terminal is {}x{}", size.columns, size.rows)));
  lines.push_back(line_of("enlarge it, or q"));
  return lines;
}

}  // namespace

int most_scroll(const State& state, Size size) {
  return std::max(0, static_cast<int>(page_of(state, size).size()) - body_rows(size));
}

Lines draw(const State& state, Size size) {
  Lines lines;
  const bool fits = size.columns >= kLeast.columns && size.rows >= kLeast.rows;
  if (!fits) {
    lines = too_small(size);
  } else {
    lines.push_back(header(state, size));
    const Lines page = page_of(state, size);
    const int rows = body_rows(size);
    const int most = std::max(0, static_cast<int>(page.size()) - rows);
    const auto from = static_cast<std::size_t>(std::clamp(state.pages.back().scroll, 0, most));
    for (std::size_t i = from; i < page.size() && i < from + static_cast<std::size_t>(rows); ++i)
      lines.push_back(page[i]);
    // What is below the screen is worth a sign.
    if (static_cast<int>(from) < most)
      lines.back() = line_of(fmt::format("  ↓ {} more line{}", most - static_cast<int>(from) + 1,
                                         most - static_cast<int>(from) == 0 ? "" : "s"),
                             Style::faint);
    const Lines below = footer(state, size.columns);
    lines.resize(static_cast<std::size_t>(size.rows) - below.size());
    append(lines, below);
  }
  lines.resize(static_cast<std::size_t>(std::max(size.rows, 0)));
  for (Line& line : lines) line = fitted(line, size.columns);
  return lines;
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text = "aisp";
  for (const std::string& word : words) text += " " + report::visible(word);
  return text;
}

std::string short_time(const std::string& utc) {
  const bool expected = utc.size() >= 16 && utc[4] == '-' && utc[10] == 'T' && utc[13] == ':';
  return report::visible(expected ? utc.substr(5, 5) + " " + utc.substr(11, 5) : utc);
}

}  // namespace aisp::tui
