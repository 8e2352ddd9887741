// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/row.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/summary.h"

namespace aisp::report {
namespace {

Judgement judgement_of(const RatioEstimate& ratio, Goal goal) {
  const Tone tone = ratio.outcome == Outcome::faster         ? Tone::good
                    : ratio.outcome == Outcome::slower       ? Tone::bad
                    : ratio.outcome == Outcome::inconclusive ? Tone::caution
                                                             : Tone::plain;
  std::string word(name_of(ratio.outcome));
  // A variant that holds less memory may well take longer: "faster" would be read as a claim about time.
  if (goal == Goal::memory && ratio.outcome == Outcome::faster) word = "smaller";
  if (goal == Goal::memory && ratio.outcome == Outcome::slower) word = "larger";
  return {word + (ratio.small ? " (small)" : ""), tone};
}

const Estimate* figure_of(const CellResult& cell, const VariantResult& variant) {
  const bool own = cell.goal == Goal::latency || cell.goal == Goal::throughput;
  if (own && variant.figure) return &*variant.figure;
  return variant.time_ns ? &*variant.time_ns : nullptr;
}

std::string figure_text(const CellResult& cell, const VariantResult& variant, Detail detail) {
  const Estimate* figure = figure_of(cell, variant);
  if (figure == nullptr) return std::string(kUnknownText);
  const bool own = variant.figure && figure == &*variant.figure;
  return format_figure(*figure, own ? cell.goal : Goal::speed, detail);
}

std::string savings_text(const VariantResult& variant) {
  const std::optional<double>& savings = variant.memory.savings_percent;
  return savings && std::abs(*savings) < 1e4 ? fmt::format("{:+.0f}%", -*savings) : "";
}

std::string memory_text(const CellResult& cell, const VariantResult& variant) {
  if (!variant.memory.peak_bytes) return std::string(kUnknownText);
  const std::string peak = format_bytes(*variant.memory.peak_bytes);
  const std::string savings =
      cell.goal == Goal::memory && &variant != cell.baseline() ? savings_text(variant) : "";
  return savings.empty() ? peak : peak + " (" + savings + ")";
}

const VariantResult* shown_variant(const CellResult& cell) {
  if (const VariantResult* best = cell.best()) return best;
  for (const VariantResult& variant : cell.variants) {
    if (variant.skipped.empty() && rejected(variant.validity) && &variant != cell.baseline()) return &variant;
  }
  return cell.baseline();
}

std::string details_of(const VariantResult& variant) {
  std::string text = visible(variant.setting);
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (variant.every > 1) add("sampled in one round of " + std::to_string(variant.every));
  if (variant.of_anchor) add(format_ratio(*variant.of_anchor) + " of " + visible(variant.of_anchor->against));
  if (variant.of_paired) add(format_ratio(*variant.of_paired) + " of " + visible(variant.of_paired->against));
  for (const auto& [name, value] : variant.metrics) add(visible(name) + " " + format_number(value));
  return text;
}

}  // namespace

Judgement judgement_of(Validity validity) {
  return {std::string(name_of(validity)), validity == Validity::valid      ? Tone::plain
                                          : validity == Validity::unproven ? Tone::caution
                                                                           : Tone::bad};
}

std::string goal_text(const CellResult& cell) {
  switch (cell.goal) {
    case Goal::memory:
      return "memory";
    case Goal::latency:
      return cell.shape == Shape::trace ? "p99 latency" : "latency";
    case Goal::throughput:
      return "throughput";
    case Goal::speed:
      break;
  }
  return "";
}

std::string ratio_name(Goal goal) { return goal == Goal::memory ? "saving" : "speed-up"; }

std::string ratio_name(const std::vector<CellRow>& rows) {
  if (rows.empty()) return ratio_name(Goal::speed);
  const std::string& first = rows.front().ratio_name;
  const bool same = std::ranges::all_of(rows, [&](const CellRow& row) { return row.ratio_name == first; });
  return same ? first : "ratio";
}

std::string figure_name(const CellResult& cell) {
  const bool own = cell.goal == Goal::latency || cell.goal == Goal::throughput;
  return own ? goal_text(cell) : "time";
}

namespace {

VariantRow nothing_known() {
  VariantRow row;
  row.name = row.figure = row.spread = row.interval = row.speedup = row.ceiling = row.anchor = row.memory =
      kUnknownText;
  return row;
}

}  // namespace

VariantRow variant_row(const CellResult& cell, const VariantResult& variant) {
  VariantRow row = nothing_known();
  row.name = visible(variant.name);
  row.mark = &variant == cell.baseline()  ? "baseline"
             : variant.rung == Rung::step ? ""
                                          : name_of(variant.rung);
  row.note = visible(variant.note);
  row.skipped = visible(variant.skipped);
  row.details = details_of(variant);
  if (!variant.skipped.empty()) {
    row.verdict = {"skipped", Tone::plain};
    return row;
  }
  row.verdict = judgement_of(variant.validity);
  row.figure = figure_text(cell, variant, Detail::value);
  row.spread = figure_text(cell, variant, Detail::spread);
  row.interval = figure_text(cell, variant, Detail::interval);
  row.memory = memory_text(cell, variant);
  if (rejected(variant.validity)) return row;
  if (variant.speedup && &variant != cell.baseline()) {
    row.speedup = format_ratio(*variant.speedup);
    if (variant.validity == Validity::valid) row.verdict = judgement_of(*variant.speedup, cell.goal);
  }
  // What the machine could do in the same rounds says more than what it could do at its best.
  if (variant.of_paired) {
    row.ceiling = format_percent(100 * variant.of_paired->ratio);
  } else if (variant.percent_of_ceiling) {
    row.ceiling = format_percent(*variant.percent_of_ceiling);
  }
  if (variant.of_anchor) row.anchor = format_ratio_value(*variant.of_anchor);
  return row;
}

CellRow cell_row(const CellResult& cell) {
  CellRow row;
  row.workload = visible(cell.workload);
  row.parameters = visible(cell.parameters);
  row.baseline =
      cell.baseline() ? figure_text(cell, *cell.baseline(), Detail::value) : std::string(kUnknownText);
  row.shown = shown_variant(cell);
  row.variant = row.shown != nullptr ? variant_row(cell, *row.shown) : nothing_known();
  if (row.shown == cell.baseline()) row.variant.name = std::string(kUnknownText);
  // What was rejected is told below the row. In it, under the heading "best", it would be read as a result.
  if (row.shown != nullptr && row.shown != cell.baseline() && rejected(row.shown->validity)) {
    Judgement verdict = std::move(row.variant.verdict);
    row.variant = nothing_known();
    row.variant.verdict = std::move(verdict);
  }
  row.goal = goal_text(cell);
  row.ratio_name = ratio_name(cell.goal);
  // The ratio already says how much smaller; the row says what that is of the baseline.
  if (cell.goal == Goal::memory && row.shown != nullptr && row.variant.memory != kUnknownText &&
      row.shown != cell.baseline()) {
    if (const std::string savings = savings_text(*row.shown); !savings.empty()) row.variant.memory = savings;
  }
  row.reasons = reasons_of(cell);
  // The worse of the two: a cell is no better than the variant its row is about.
  row.validity = std::max(cell.validity, row.shown ? row.shown->validity : Validity::unproven);
  row.verdict = row.validity == Validity::valid ? row.variant.verdict : judgement_of(row.validity);
  // Neither is a verdict about a variant.
  if (cell.stopped == "interrupted" || cell.stopped == "running" || cell.stopped == "refused")
    row.verdict = {cell.stopped, Tone::caution};
  if (cell.stopped == "skipped") row.verdict = {cell.stopped, Tone::plain};
  if (rejected(row.validity)) row.variant.speedup = row.variant.ceiling = row.variant.anchor = kUnknownText;
  return row;
}

}  // namespace aisp::report
