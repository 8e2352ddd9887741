// SPDX-License-Identifier: Apache-2.0
/// \file
/// A library of made-up results, one of every kind that a report has to show, and the interface before it.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "aisp/tui/state.h"
#include "aisp/tui/view.h"
#include "tests/report/example_run.h"

namespace aisp::tui {

inline constexpr Size kSmall{.columns = 80, .rows = 24}, kLarge{.columns = 160, .rows = 50};

class MadeUpLibrary : public Library {
 public:
  explicit MadeUpLibrary(const RunRecord& run = report::example_run()) : cells_(run.cells) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      store::CellSummary& row = rows_.emplace_back();
      row.seq = static_cast<std::int64_t>(i) + 1;
      row.run = run.id;
      row.workload = cells_[i].workload;
      row.parameters = cells_[i].parameters;
      row.device = cells_[i].device;
      row.hardware = "a machine";
      row.finished = "2026-11-16T06:15:07Z";
      row.validity = cells_[i].validity;
      harness::WorkloadInfo& workload = catalogue_.emplace_back();
      workload.id = cells_[i].workload;
      workload.idea = "Thought-" + std::to_string(i) + ".";
      workload.variants = {{.name = "naive"}, {.name = "tiled"}};
      workload.axes = {{.name = "n", .values = {64, 128}}};
    }
  }

  const std::vector<harness::WorkloadInfo>& workloads() override { return catalogue_; }
  std::string place() override { return "results.db"; }
  std::string version() override { return std::to_string(rows_.size()); }
  Result<std::vector<store::CellSummary>> results(const std::string& workload) override {
    std::vector<store::CellSummary> found;
    for (const store::CellSummary& row : rows_)
      if (found.size() < kMostListed && (workload.empty() || row.workload == workload)) found.push_back(row);
    return found;
  }
  Result<CellResult> cell(std::int64_t seq) override {
    const auto at = static_cast<std::size_t>(seq) - 1;
    if (at >= cells_.size()) return Error{ErrorCode::store, "there is no such event", ""};
    return cells_[at];
  }
  Result<Comparison> compare(const store::CellSummary& first, const store::CellSummary& second) override {
    if (first.workload != second.workload) return Error{ErrorCode::usage, "they differ", "mark others"};
    Comparison comparison;
    comparison.what = first.workload;
    comparison.first = first.run;
    comparison.second = second.run;
    comparison.ratio_name = "speed-up";
    comparison.note = "unpaired";
    ComparedVariant& v = comparison.variants.emplace_back();
    v.name = "tiled";
    v.first = "2.00 ms";
    v.second = "1.00 ms";
    v.ratio = "2.00x [1.90, 2.10]";
    v.verdict.text = "faster";
    v.verdict.tone = report::Tone::good;
    return comparison;
  }
  std::vector<std::string> shared_words() override { return {"--store=results.db"}; }

 private:
  std::vector<CellResult> cells_;
  std::vector<store::CellSummary> rows_;
  std::vector<harness::WorkloadInfo> catalogue_;
};

/// Holds more results than are listed at most: the last of its workloads is behind the newest of all.
class LargeLibrary : public MadeUpLibrary {
 public:
  LargeLibrary() {
    const std::vector<store::CellSummary> rows = *MadeUpLibrary::results("");
    const std::string last = workloads().back().id;
    std::int64_t seq = static_cast<std::int64_t>(kMostListed) + kOld;
    for (; seq > 0; --seq) {
      store::CellSummary& row = all_.emplace_back(seq <= kOld ? rows.back() : rows.front());
      row.seq = seq;
      row.parameters = "n=" + std::to_string(seq);
      row.workload = seq <= kOld ? last : workloads().front().id;
    }
  }
  static constexpr std::int64_t kOld = 7;

  Result<std::vector<store::CellSummary>> results(const std::string& workload) override {
    std::vector<store::CellSummary> found;
    for (const store::CellSummary& row : all_)
      if (found.size() < kMostListed && (workload.empty() || row.workload == workload)) found.push_back(row);
    return found;
  }

 private:
  std::vector<store::CellSummary> all_;
};

/// As the session would have it: everything listed, every row read.
inline State state_of(Library& library) {
  State state;
  state.workloads = library.workloads();
  state.place = library.place();
  EXPECT_TRUE(read_results(state, library));
  for (const store::CellSummary& row : state.results) {
    const Result<CellResult> cell = library.cell(row.seq);
    state.details[row.seq] = cell ? detail_of(*cell) : detail_of(cell.error());
  }
  return state;
}

/// Types the keys and does what they ask for.
inline Effects press(State& state, Library& library, const std::vector<Key>& keys, Size size = kSmall) {
  Effects all;
  for (const Key& key : keys) {
    for (const Effect& effect : update(state, key, size)) {
      all.push_back(effect);
      if (effect.kind == Effect::Kind::list) {
        state.listed = effect.words.front();
        EXPECT_TRUE(read_results(state, library));
      }
      if (effect.kind == Effect::Kind::open)
        show_result(state, state.results[static_cast<std::size_t>(effect.first) - 1],
                    *library.cell(effect.first));
      if (effect.kind == Effect::Kind::again) show_setup(state, *library.cell(effect.first));
      if (effect.kind == Effect::Kind::start) show_run(state, effect.words);
    }
  }
  return all;
}

inline std::vector<Key> typed(const std::string& text) {
  std::vector<Key> keys;
  for (const char c : text) keys.push_back(typed(c));
  return keys;
}

inline std::string screen(const State& state, Size size = kSmall) { return plain_text(draw(state, size)); }

}  // namespace aisp::tui
