// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small stores made by hand, for tests of figures and of what is asked about them.
///
///   Store store = open_store(directory.file());
///   finish_run(store, "r1", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
///   time_of(store, "tiled")   // 50
///
/// Nothing here was measured: every number follows from the arguments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "aisp/store/figures.h"
#include "aisp/store/figures_check.h"
#include "aisp/store/store.h"

namespace aisp::store::test {

/// Valid variants and their times in ns, the first one the baseline. Intervals reach 2 % to either side.
inline CellResult cell_of(const std::string& workload, const std::string& parameters,
                          const std::vector<std::pair<std::string, double>>& times) {
  CellResult cell;
  cell.workload = workload;
  cell.parameters = parameters;
  cell.started = cell.finished = "2026-11-15T12:00:00Z";
  cell.stopped = "precise";
  cell.validity = Validity::valid;
  const auto about = [](double value) { return Estimate{value, 0.98 * value, 1.02 * value}; };
  for (const auto& [name, ns] : times) {
    VariantResult variant;
    variant.name = name;
    variant.validity = Validity::valid;
    variant.time_ns = variant.figure = about(ns);
    if (!cell.variants.empty()) {
      const Estimate gain = about(times.front().second / ns);
      variant.speedup = RatioEstimate{.against = times.front().first,
                                      .ratio = gain.value,
                                      .low = gain.low,
                                      .high = gain.high,
                                      .confidence = 0.95,
                                      .outcome = gain.low > 1    ? Outcome::faster
                                                 : gain.high < 1 ? Outcome::slower
                                                                 : Outcome::inconclusive};
    }
    cell.variants.push_back(std::move(variant));
  }
  return cell;
}

inline constexpr int kSampledRounds = 24;

/// Rounds in which each variant took its time in `ns`, but for what the whole machine did in them.
inline void sample_rounds(CellResult& cell, const std::vector<double>& ns) {
  for (int round = 0; round < kSampledRounds; ++round) {
    cell.rounds.push_back({.attempt = 0, .round = round});
    for (std::size_t i = 0; i < ns.size(); ++i) {
      auto& samples = cell.variants[i].samples;
      samples.attempt.push_back(0);
      samples.round.push_back(round);
      samples.pass.push_back(round % 2);
      samples.calls.push_back(1);
      samples.ns.push_back(ns[i] * (1 + 0.01 * (round % 7)));
    }
  }
}

inline void finish_run(Store& store, const std::string& id, const std::vector<CellResult>& cells,
                       const std::string& hardware = "box") {
  RunRecord run;
  run.id = id;
  run.started = run.finished = "2026-11-15T12:00:00Z";
  run.status = "finished";
  run.manifest.hardware = hardware;
  ASSERT_TRUE(store.run_started(run));
  for (const CellResult& cell : cells) ASSERT_TRUE(store.cell_finished(id, cell));
  ASSERT_TRUE(store.run_finished(id, run.status, run.finished));
}

/// Of the one figure with this variant, and these parameters where they are given; -1 when there is none.
inline double time_of(Store& store, const std::string& variant, const std::string& parameters = "") {
  const auto figures = latest_figures(store);
  if (!figures) return -1;
  for (const Figure& figure : *figures) {
    if (figure.variant == variant && (parameters.empty() || figure.parameters == parameters))
      return figure.time_ns->value;
  }
  return -1;
}

/// The table is there, complete, and says what the events say.
inline void expect_sound(Store& store) {
  const Result<FiguresReport> report = check_figures(store);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->current);
  EXPECT_TRUE(report->differing.empty()) << report->differing.front();
}

}  // namespace aisp::store::test
