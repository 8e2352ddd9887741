// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/row.h"

namespace aisp::report {
namespace {

constexpr std::ptrdiff_t kNamedCells = 3;  // of many, the rows say which

void add_once(std::vector<std::string>& words, std::string word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

void count(RunSummary& summary, const CellResult& cell, const VariantResult& variant) {
  if (!variant.skipped.empty()) {
    ++summary.skipped_variants;
    return;
  }
  if (variant.validity == Validity::invalid || variant.validity == Validity::failed)
    ++summary.rejected_variants;
  for (const Finding& finding : variant.findings) {
    if (finding.level == Level::unknown) add_once(summary.unknown, visible(finding.guard));
    if (finding.waived) add_once(summary.waived, visible(finding.guard));
  }
  add_once(summary.worker_modes, std::string(name_of(cell.worker)));
}

/// What the guard of the load noted; it looks once before the run, so that every row says the same.
std::string busy_text(const CellResult& cell) {
  for (const VariantResult& variant : cell.variants) {
    for (const Finding& finding : variant.findings) {
      if (finding.guard == "load_low" && finding.level == Level::note) return visible(finding.because);
    }
  }
  return "";
}

/// Rows whose best variant cannot be told from the baseline: they decide the exit code where nothing else
/// does.
bool is_inconclusive(const CellRow& row) {
  return row.validity == Validity::valid && row.shown != nullptr && row.shown->speedup &&
         row.shown->speedup->outcome == Outcome::inconclusive;
}

/// Valid says that the numbers may be trusted, not that they tell a difference: which of these cells do not.
std::string inconclusive_text(const std::vector<std::string>& cells, int valid) {
  if (cells.empty()) return "";
  std::vector<std::string> named(cells.begin(),
                                 cells.begin() + std::min<std::ptrdiff_t>(kNamedCells, std::ssize(cells)));
  if (cells.size() > named.size()) named.push_back(fmt::format("{} more", cells.size() - named.size()));
  return fmt::format(" ({}inconclusive: {})", valid == 1 ? "" : fmt::format("{} of them ", cells.size()),
                     listed(named));
}

}  // namespace

Calibration calibration_of(const RatioEstimate& aa, double equivalence) {
  if (aa.outcome == Outcome::faster || aa.outcome == Outcome::slower) return Calibration::called;
  // As the guard `calibrated` has it: as wide as the region of practical equivalence.
  const bool narrow = aa.low > 0 && aa.high / aa.low <= (1 + equivalence) * (1 + equivalence);
  return narrow ? Calibration::holds : Calibration::too_wide;
}

RunSummary summarise(const RunRecord& run) {
  RunSummary summary;
  summary.cells = static_cast<int>(run.cells.size());
  for (const CellResult& cell : run.cells) {
    if (cell.stopped == "interrupted" || cell.stopped == "refused" || cell.stopped == "running") {
      ++(cell.stopped == "refused"   ? summary.refused
         : cell.stopped == "running" ? summary.running
                                     : summary.interrupted);
      continue;
    }
    if (cell.stopped == "skipped") {
      ++summary.skipped;
      continue;
    }
    const CellRow row = cell_row(cell);
    ++summary.by_validity[static_cast<std::size_t>(row.validity)];
    if (is_inconclusive(row)) summary.inconclusive.push_back(row.workload + " " + row.parameters);
    if (summary.busy.empty()) summary.busy = busy_text(cell);
    for (const VariantResult& variant : cell.variants) count(summary, cell, variant);
    if (!cell.aa) continue;
    ++summary.aa_measured;
    const Calibration calibration = calibration_of(*cell.aa, run.manifest.config.equivalence);
    summary.aa_called += calibration == Calibration::called ? 1 : 0;
    summary.aa_wide += calibration == Calibration::too_wide ? 1 : 0;
    if (run.cells.size() == 1) summary.aa_only = format_ratio(*cell.aa);
  }
  return summary;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string aa_text(const RunSummary& summary) {
  if (summary.aa_measured == 0) return "A/A not measured";
  if (!summary.aa_only.empty()) {
    const char* word = summary.aa_called > 0 ? "calls a difference:"
                       : summary.aa_wide > 0 ? "too wide to tell:"
                                             : "holds:";
    return fmt::format("A/A {} {}", word, summary.aa_only);
  }
  const int holds = summary.aa_measured - summary.aa_called - summary.aa_wide;
  std::string text = fmt::format("A/A holds in {} of {}", holds, summary.aa_measured);
  if (summary.aa_wide > 0) text += fmt::format(", is too wide to tell in {}", summary.aa_wide);
  if (summary.aa_called > 0) text += fmt::format(", calls a difference in {}", summary.aa_called);
  return text;
}

std::string summary_line(const RunRecord& run) {
  const RunSummary summary = summarise(run);
  std::string text = fmt::format("{} cell{}", summary.cells, summary.cells == 1 ? "" : "s");
  const char* separator = ": ";
  for (const Validity validity : {Validity::valid, Validity::unproven, Validity::invalid, Validity::failed}) {
    const int n = summary.by_validity[static_cast<std::size_t>(validity)];
    if (n == 0) continue;
    text += fmt::format("{}{} {}", separator, n, name_of(validity));
    if (validity == Validity::valid) text += inconclusive_text(summary.inconclusive, n);
    separator = ", ";
  }
  for (const auto& [n, word] : {std::pair{summary.refused, "refused"},
                                {summary.interrupted, "interrupted"},
                                {summary.running, "being measured"},
                                {summary.skipped, "cannot run here"}}) {
    if (n == 0) continue;
    text += fmt::format("{}{} {}", separator, n, word);
    separator = ", ";
  }
  if (summary.rejected_variants > 0) {
    text += fmt::format("; {} variant{} rejected", summary.rejected_variants,
                        summary.rejected_variants == 1 ? "" : "s");
  }
  if (summary.skipped_variants > 0) text += fmt::format("; {} skipped", summary.skipped_variants);
  if (summary.cells > 0) text += "; " + aa_text(summary);
  if (!summary.busy.empty()) text += "; the machine was busy: " + summary.busy;
  text += "; policy " + std::string(name_of(run.manifest.config.policy));
  if (!summary.worker_modes.empty()) text += "; worker " + listed(summary.worker_modes);
  if (!summary.waived.empty()) text += "; waived: " + listed(summary.waived);
  if (!summary.unknown.empty()) text += "; unknown here: " + listed(summary.unknown);
  if (run.status == "out of time") text += "; out of time: not every cell was measured";
  if (run.status == "running") text += "; the run goes on: more cells may come";
  if (run.status == "interrupted")
    text += "; interrupted: what was finished is kept, cells not yet begun are not counted";
  return text;
}

}  // namespace aisp::report
