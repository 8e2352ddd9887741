// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/row.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/summary.h"

namespace aisp::report {
namespace {

std::string first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n\r\t"), text.size()));
  return visible(text.substr(0, text.find('\n')));
}

Judgement judgement_of(Validity validity) {
  return {std::string(name_of(validity)), validity == Validity::valid      ? Tone::plain
                                          : validity == Validity::unproven ? Tone::caution
                                                                           : Tone::bad};
}

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

bool rejected(Validity validity) { return validity == Validity::invalid || validity == Validity::failed; }

const VariantResult* shown_variant(const CellResult& cell) {
  if (const VariantResult* best = cell.best()) return best;
  for (const VariantResult& variant : cell.variants) {
    if (variant.skipped.empty() && rejected(variant.validity) && &variant != cell.baseline()) return &variant;
  }
  return cell.baseline();
}

std::string explain(const Finding& finding) {
  std::string text = visible(finding.guard) + ": " + visible(finding.because);
  if (!finding.hint.empty()) text += "; hint: " + visible(finding.hint);
  return text;
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

/// Times and ratios are positive: from zero to anything is what one knew before measuring.
bool has_interval(const RatioEstimate& ratio) { return std::isfinite(ratio.high) || ratio.low > 0; }

/// Built member by member: g++ 12 warns of nested braces in push_back as uninitialised.
Reason reason(std::string subject, Judgement verdict, std::string text) {
  Reason made;
  made.subject = std::move(subject);
  made.verdict = std::move(verdict);
  made.text = std::move(text);
  return made;
}

Judgement judgement(std::string text, Tone tone) {
  Judgement made;
  made.text = std::move(text);
  made.tone = tone;
  return made;
}

/// What the variant would have claimed: worth reading beside the reason, never in the column of results.
std::string claim(const VariantResult& variant) {
  if (!rejected(variant.validity) || !variant.speedup || !(variant.speedup->ratio > 0)) return "";
  return " (claimed " + format_ratio(variant.speedup->ratio) + ")";
}

void add_attempts(const CellResult& cell, std::vector<Reason>& reasons) {
  std::vector<bool> told(cell.attempts.size(), false);
  for (std::size_t i = 0; i < cell.attempts.size(); ++i) {
    const AttemptRecord& a = cell.attempts[i];
    if (told[i] || a.status == "finished" || a.status.empty()) continue;
    std::vector<int> numbers;
    for (std::size_t k = i; k < cell.attempts.size(); ++k) {
      const AttemptRecord& b = cell.attempts[k];
      if (b.status != a.status || b.variant != a.variant || first_line(b.detail) != first_line(a.detail))
        continue;
      told[k] = true;
      numbers.push_back(b.attempt);
    }
    std::string subject = numbers.size() == 1 ? "attempt " : "attempts ";
    for (std::size_t k = 0; k < numbers.size(); ++k) subject += (k ? ", " : "") + attempt_text(numbers[k]);
    std::string text = first_line(a.detail);
    const std::string variant = visible(a.variant);
    if (!variant.empty() && text.find(variant) == std::string::npos) {
      text = "in variant '" + variant + "'" + (text.empty() ? "" : ": " + text);
    }
    const bool by_user = a.status == "interrupted";
    reasons.push_back(
        reason(subject, judgement(visible(a.status), by_user ? Tone::caution : Tone::bad), text));
  }
}

/// A ratio that stands there without an interval: why, and what to do, in the words of the guard
/// enough_samples, which judges the rounds of one variant. Those in common with the baseline may be fewer.
std::string no_interval(const RatioEstimate& ratio) {
  const bool dependent = ratio.method == "block bootstrap";
  return fmt::format(
      "an interval needs more than the {} round{} in common with {}{}; hint: give the cell more time "
      "(--cell-seconds), allow more rounds (--max-rounds) or choose a smaller size",
      ratio.rounds, ratio.rounds == 1 ? "" : "s", visible(ratio.against),
      dependent ? ", each much like the one before" : "");
}

bool named_by_attempt(const CellResult& cell, const VariantResult& variant) {
  return std::ranges::any_of(cell.attempts, [&](const AttemptRecord& attempt) {
    return attempt.status != "finished" && attempt.variant == variant.name;
  });
}

}  // namespace

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

const Finding* decisive_finding(const VariantResult& variant) {
  for (const Level level : {Level::reject, Level::unknown}) {
    for (const Finding& finding : variant.findings) {
      if (finding.level == level && !finding.waived) return &finding;
    }
  }
  return nullptr;
}

namespace {

/// One reason is explained; the others are named, for mending the first alone would not be enough.
std::string explain_decisive(const VariantResult& variant, const Finding& decisive) {
  std::vector<std::string> others;
  for (const Finding& finding : variant.findings) {
    if (finding.level == Level::reject && !finding.waived && finding.guard != decisive.guard)
      others.emplace_back(finding.guard);
  }
  return explain(decisive) + (others.empty() ? "" : "; rejected too by " + listed(others));
}

/// What is said of several variants in the same words is said once.
std::vector<Reason> merged(const std::vector<Reason>& reasons, std::size_t variants) {
  std::vector<Reason> all;
  std::vector<std::vector<std::string>> subjects;
  for (const Reason& reason : reasons) {
    const auto same = std::ranges::find_if(
        all, [&](const Reason& r) { return r.verdict.text == reason.verdict.text && r.text == reason.text; });
    if (same == all.end()) {
      all.push_back(reason);
      subjects.push_back({reason.subject});
    } else {
      subjects[static_cast<std::size_t>(same - all.begin())].push_back(reason.subject);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (subjects[i].size() < 2) continue;
    all[i].subject = subjects[i].size() == variants ? "all " + std::to_string(variants) + " variants"
                                                    : listed(subjects[i]);
  }
  return all;
}

}  // namespace

std::vector<Reason> reasons_of(const CellResult& cell) {
  std::vector<Reason> reasons;
  if (cell.stopped == "interrupted") {
    const bool kept = std::ranges::any_of(cell.variants, [](const auto& v) { return v.skipped.empty(); });
    reasons.push_back(reason("cell", judgement("interrupted", Tone::caution),
                             kept ? "what was measured before is kept" : "nothing of this cell is kept"));
  } else if (cell.stopped == "running") {
    reasons.push_back(reason("cell", judgement("running", Tone::caution), "it is being measured"));
  } else if (cell.stopped == "refused") {
    const std::string why = cell.attempts.empty() ? "" : first_line(cell.attempts.front().detail);
    reasons.push_back(reason("cell", judgement("refused", Tone::caution), why));
  } else if (cell.stopped == "skipped") {
    const VariantResult* first = cell.baseline();
    reasons.push_back(
        reason("cell", judgement("skipped", Tone::plain), first != nullptr ? visible(first->skipped) : ""));
  } else {
    add_attempts(cell, reasons);
  }
  for (const VariantResult& variant : cell.variants) {
    if (!variant.skipped.empty()) continue;
    const std::string name = visible(variant.name);
    Judgement verdict = judgement_of(variant.validity);
    verdict.text += claim(variant);
    const Finding* finding = decisive_finding(variant);
    if (variant.validity == Validity::valid) finding = nullptr;
    if (finding != nullptr) {
      reasons.push_back(reason(name, verdict, explain_decisive(variant, *finding)));
    } else if (variant.validity == Validity::failed && !named_by_attempt(cell, variant)) {
      reasons.push_back(reason(name, verdict, "there is no number; its worker ended early"));
    } else if (variant.validity == Validity::invalid || variant.validity == Validity::unproven) {
      reasons.push_back(reason(name, verdict, "no finding was stored with the verdict"));
    }
    if (!rejected(variant.validity) && variant.speedup && &variant != cell.baseline() &&
        variant.speedup->ratio > 0 && !has_interval(*variant.speedup)) {
      reasons.push_back(
          reason(name, judgement("inconclusive", Tone::caution), no_interval(*variant.speedup)));
    }
    for (const Finding& waived : variant.findings) {
      if (waived.waived) reasons.push_back(reason(name, judgement("waived", Tone::caution), explain(waived)));
    }
  }
  const auto measured = std::ranges::count_if(cell.variants, [](const auto& v) { return v.skipped.empty(); });
  return merged(reasons, static_cast<std::size_t>(measured));
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
    row.verdict = judgement(cell.stopped, Tone::caution);
  if (cell.stopped == "skipped") row.verdict = judgement(cell.stopped, Tone::plain);
  if (rejected(row.validity)) row.variant.speedup = row.variant.ceiling = row.variant.anchor = kUnknownText;
  return row;
}

}  // namespace aisp::report
