// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/simple.h"

#include <algorithm>
#include <charconv>
#include <istream>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <poll.h>

#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/tui/child.h"
#include "aisp/tui/state.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using report::visible;

constexpr std::size_t kMostRows = 40;  // listed at once: the newest, or what the words leave

std::optional<std::size_t> number_in(const std::string& text) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all ? std::optional(value) : std::nullopt;
}

class Menu {
 public:
  Menu(Library& library, std::istream& in, std::ostream& out, const SimpleOptions& options)
      : library_(library), in_(in), out_(out), options_(options) {
    state_.workloads = library.workloads();
    state_.place = library.place();
  }

  int run() {
    while (out_) {
      read_results();
      out_ << fmt::format("\naisp: {} workloads, {} results in {}\n", state_.workloads.size(),
                          state_.cut ? std::string("the newest ") + kMostListedText
                                     : std::to_string(state_.results.size()),
                          visible(state_.place))
           << "  1  workloads\n  2  results\n  3  start a run\n  4  compare two results\n  0  quit\n";
      const std::optional<std::string> asked = ask("choice");
      if (!asked || *asked == "0" || *asked == "q") break;
      if (*asked == "1") {
        workloads();
      } else if (*asked == "2") {
        results();
      } else if (*asked == "3") {
        measure();
      } else if (*asked == "4") {
        compare();
      } else if (!asked->empty()) {
        out_ << "  There is no choice '" << visible(*asked) << "': type a number from 0 to 4.\n";
      }
    }
    out_.flush();
    return out_ ? 0 : static_cast<int>(ErrorCode::io);
  }

 private:
  /// Nothing at the end of the input.
  std::optional<std::string> ask(const std::string& what) {
    out_ << what << "> " << std::flush;
    std::string line;
    if (!out_ || !std::getline(in_, line)) {
      out_ << "\n";
      return std::nullopt;
    }
    line.erase(line.find_last_not_of(" \t\r") + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    return line;
  }

  Size size() const { return {.columns = options_.width, .rows = 1000}; }
  void tell(const Lines& lines) { out_ << plain_text(lines); }
  void tell(const Error& error) {
    out_ << "  " << visible(error.message) << "\n";
    if (!error.hint.empty()) out_ << "  " << visible(error.hint) << "\n";
  }

  void read_results() {
    const Status read = tui::read_results(state_, library_);
    if (!read) tell(read.error());
  }

  /// Where not all are listed: of a workload that was named, all are.
  void list_workload(const std::string& name) {
    list_newest(state_);
    if (!state_.cut ||
        std::ranges::find(state_.workloads, name, &harness::WorkloadInfo::id) == state_.workloads.end())
      return;
    state_.listed = name;
    read_results();
  }

  const RowDetail& detail(std::int64_t seq) {
    if (!state_.details.contains(seq)) {
      const Result<CellResult> cell = library_.cell(seq);
      state_.details[seq] = cell ? detail_of(*cell) : detail_of(cell.error());
    }
    return state_.details.at(seq);
  }

  void list_workloads(const std::vector<std::size_t>& shown) {
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const harness::WorkloadInfo& w = state_.workloads[shown[i]];
      out_ << report::shorten(
                  fmt::format("{:>4}  {}  {}  {}", i + 1, visible(w.id), name_of(w.device), visible(w.idea)),
                  options_.width)
           << "\n";
    }
    if (shown.empty()) out_ << "  No workload has these words.\n";
  }

  void list_results(const std::vector<std::size_t>& shown) {
    for (std::size_t i = 0; i < std::min(shown.size(), kMostRows); ++i) {
      const store::CellSummary& row = state_.results[shown[i]];
      const RowDetail& d = detail(row.seq);
      out_ << fmt::format("{:>4}  {} {}  {}  {}{}  {}\n", i + 1, visible(row.workload),
                          visible(row.parameters), d.speedup, d.verdict.text,
                          d.rejected > 0 ? fmt::format(", {} rejected", d.rejected) : std::string(),
                          short_time(row.finished));
      for (const report::Reason& reason : d.reasons)
        tell(paragraph(reason.subject + " " + reason.verdict.text + ": " + reason.text, options_.width,
                       Style::plain, "      └ ", "        "));
    }
    if (shown.size() > kMostRows)
      out_ << fmt::format("  and {} older ones: type words to find them\n", shown.size() - kMostRows);
    if (state_.cut && state_.listed.empty())
      out_ << fmt::format("  These are of the newest {} results: a workload's name finds all of its own\n",
                          kMostListedText);
    if (state_.results.empty()) {
      out_ << "  There are no results yet: 3 in the first menu measures a workload.\n";
    } else if (shown.empty()) {
      out_ << "  No result has these words.\n";
    }
  }

  /// Lists, filters by words, until a number is chosen. Nothing: back.
  template <class ListRows, class Shown>
  std::optional<std::size_t> choose(const std::string& question, std::string& filter, ListRows list_rows,
                                    Shown shown) {
    for (filter.clear();;) {
      const std::vector<std::size_t> rows = shown();
      list_rows(rows);
      const std::optional<std::string> asked = ask(question);
      if (!asked || asked->empty() || *asked == "0") return std::nullopt;
      const std::optional<std::size_t> number = number_in(*asked);
      if (number && *number <= rows.size()) return rows[*number - 1];
      filter = *asked;
    }
  }
  std::optional<std::size_t> choose_workload(const std::string& question) {
    return choose(
        question, state_.workload_filter, [&](const auto& rows) { list_workloads(rows); },
        [&] { return shown_workloads(state_); });
  }
  std::optional<std::size_t> choose_result(const std::string& question) {
    return choose(
        question, state_.result_filter, [&](const auto& rows) { list_results(rows); },
        [&] {
          list_workload(state_.result_filter);
          return shown_results(state_);
        });
  }

  void workloads() {
    while (const auto chosen =
               choose_workload("number for its sizes and variants, words to filter, 0 back")) {
      const harness::WorkloadInfo& w = state_.workloads[*chosen];
      out_ << fmt::format("\n{}: {}\n  {}\n", visible(w.id), visible(w.title), visible(w.idea));
      for (const harness::AxisInfo& axis : w.axes)
        out_ << fmt::format("  {} = {}\n", visible(axis.name), fmt::join(axis.values, ", "));
      for (const harness::VariantInfo& v : w.variants)
        out_ << fmt::format("  {:<18} {}\n", visible(v.name), visible(v.note));
      out_ << "\n";
    }
  }

  void results() {
    while (const auto chosen = choose_result("number to open, words to filter, 0 back")) {
      const store::CellSummary row = state_.results[*chosen];
      Result<CellResult> cell = library_.cell(row.seq);
      if (!cell) {
        tell(cell.error());
        continue;
      }
      show_result(state_, row, *std::move(cell));
      out_ << "\n";
      tell(result_page(state_, size()));
      out_ << "\n";
    }
  }

  void compare() {
    const auto first = choose_result("number of the first, words to filter, 0 back");
    if (!first) return;
    const store::CellSummary a = state_.results[*first];
    const auto second = choose_result("number of the second, words to filter, 0 back");
    if (!second) return;
    Result<Comparison> comparison = library_.compare(a, state_.results[*second]);
    if (!comparison) return tell(comparison.error());
    show_comparison(state_, *std::move(comparison));
    out_ << "\n";
    tell(compare_page(state_, size()));
  }

  void measure() {
    const auto chosen = choose_workload("number to measure, words to filter, 0 back");
    if (!chosen) return;
    RunSetup setup = setup_for(state_.workloads[*chosen].id, state_.workloads[*chosen].device);
    for (Choice& choice : setup.choices) {
      if (choice.values.size() < 2) continue;
      out_ << choice.name << ": " << choice.help << "\n";
      for (std::size_t i = 0; i < choice.values.size(); ++i)
        out_ << fmt::format("  {}  {}\n", i + 1, choice.values[i]);
      const std::optional<std::string> asked =
          ask(fmt::format("number, Enter for {}", choice.values[static_cast<std::size_t>(choice.chosen)]));
      if (!asked) return;
      const auto number = number_in(*asked);
      if (number && *number >= 1 && *number <= choice.values.size())
        choice.chosen = static_cast<int>(*number) - 1;
    }
    out_ << command_text(setup.words()) << "\n" << std::flush;
    watch(setup.words());
  }

  void watch(std::vector<std::string> words) {
    LiveRun live(words);
    for (const std::string& word : library_.shared_words()) words.push_back(word);
    words.emplace_back("--events");
    Result<Child> child = Child::start(options_.program, words);
    if (!child) return tell(child.error());
    std::optional<int> code;
    while (!code) {
      pollfd waited{.fd = child->descriptor(), .events = POLLIN, .revents = 0};
      poll(&waited, 1, 200);
      for (const std::string& line : child->read()) {
        live.take(line);
        say(live, line);
      }
      code = child->ended();
    }
    live.ended(*code);
    out_ << fmt::format("ended with exit code {}: {}\n", *code, exit_text(*code));
  }

  /// Cells and looks; rounds would be a line five times a second.
  void say(const LiveRun& live, const std::string& line) {
    const std::optional<report::ProgressEvent> event = report::read_progress_line(line);
    if (!event) {
      if (!live.log.empty() && !line.empty()) out_ << "  " << live.log.back() << "\n";
    } else if (event->event == "cell") {
      out_ << fmt::format("cell {} of {}: {} {}\n", event->cell, event->cells, visible(event->workload),
                          visible(event->parameters));
    } else if (event->event == "look") {
      out_ << fmt::format("  look {} of at most {}, {} rounds:", event->look, event->looks, event->rounds);
      for (const report::LookedVariant& v : event->variants)
        if (v.ratio) out_ << fmt::format(" {} {}", visible(v.name), ratio_text(v)) << ";";
      out_ << "\n";
    } else if (event->event == "cell_finished") {
      out_ << fmt::format("  {}, stopped: {}\n", visible(event->validity), visible(event->status));
    }
    out_ << std::flush;
  }

  Library& library_;
  std::istream& in_;
  std::ostream& out_;
  SimpleOptions options_;
  State state_;
};

}  // namespace

int run_simple(Library& library, std::istream& in, std::ostream& out, const SimpleOptions& options) {
  return Menu(library, in, out, options).run();
}

}  // namespace aisp::tui
