// SPDX-License-Identifier: Apache-2.0
// What is said below the rows of a cell: what ended it, what rejected a variant, what is unknown or waived.
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

std::string explain(const Finding& finding) {
  std::string text = visible(finding.guard) + ": " + visible(finding.because);
  if (!finding.hint.empty()) text += "; hint: " + visible(finding.hint);
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

const Finding* decisive_finding(const VariantResult& variant) {
  for (const Level level : {Level::reject, Level::unknown}) {
    for (const Finding& finding : variant.findings) {
      if (finding.level == level && !finding.waived) return &finding;
    }
  }
  return nullptr;
}

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

}  // namespace aisp::report
