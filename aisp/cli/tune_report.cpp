// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/json_document.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/core/exit_code.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

using harness::Contender;
using harness::Fate;

/// Whoever falls behind in the race is out, but is only called slower where the interval says so.
std::string_view fate_text(const Contender& contender) {
  const auto& ratio = contender.ratio;
  const bool open = ratio && ratio->low <= 1 && ratio->high >= 1;
  return contender.fate == Fate::slower && open ? "inconclusive" : harness::name_of(contender.fate);
}

std::string contender_line(const Contender& contender) {
  return fmt::format("  {:<32} {:<12} {:<24} {}\n", report::visible(contender.name), fate_text(contender),
                     contender.ratio ? report::format_ratio(*contender.ratio) : "-",
                     report::visible(contender.why));
}

std::string size_line(const JudgedSize& size) {
  const std::string where = size.parameters + (size.held_out ? "" : " (tuned on)");
  if (!size.line)
    return fmt::format("  {:<32} not judged: {}\n", report::visible(where), report::visible(size.why_not));
  return fmt::format("  {:<32} {:<12} {:<24} {}{}\n", report::visible(where), verdict_of(*size.line),
                     size.line->ratio ? report::format_ratio(*size.line->ratio) : "-",
                     size.kept ? "kept" : "not kept",
                     size.line->reason.empty() ? "" : ": " + report::visible(size.line->reason));
}

bool is_slower(const JudgedSize& size) {
  return size.line && size.line->ratio && size.line->ratio->outcome == Outcome::slower;
}

/// Faster where it was tuned and slower elsewhere: what was learnt is that size, not the machine.
bool is_overfit(const TuneOutcome& outcome) {
  return !outcome.judged.empty() && is_confirmed(outcome.judged.front()) &&
         std::ranges::any_of(outcome.judged, [](const JudgedSize& s) { return s.held_out && is_slower(s); });
}

std::string conclusion(const TuneOutcome& outcome) {
  const std::string& winner = outcome.search.winner;
  if (outcome.search.cut_short && winner.empty())
    return "the search was cut short: nothing is known to be faster than " + outcome.fallbacks;
  if (winner.empty())
    return "nothing was faster than the declared values by enough to matter: " + outcome.fallbacks + " stays";
  if (outcome.judged.empty())
    return "the search was cut short: " + winner + " led and was not judged; nothing is kept";
  const bool kept = std::ranges::any_of(outcome.judged, &JudgedSize::kept);
  if (is_overfit(outcome)) {
    std::string slower;
    for (const JudgedSize& size : outcome.judged)
      if (is_slower(size)) slower += (slower.empty() ? "" : ", ") + size.parameters;
    return winner + " is overfit, slower at " + slower + ": it is used only where it is kept";
  }
  if (!kept) return winner + " was not confirmed on other inputs: " + outcome.fallbacks + " stays";
  return winner + " is used where it is kept: `aisp run " + outcome.workload + " --tuned`";
}

Json json_of(const Contender& contender) {
  return {{"configuration", contender.name},
          {"fate", std::string(fate_text(contender))},
          {"why", printable_utf8(contender.why)},
          {"ratio", to_json(contender.ratio)}};
}

Json json_of(const JudgedSize& size) {
  return {{"parameters", size.parameters},
          {"held_out", size.held_out},
          {"verdict", size.line ? Json(verdict_of(*size.line)) : Json(nullptr)},
          {"ratio", size.line ? to_json(size.line->ratio) : Json(nullptr)},
          {"reason", printable_utf8(size.line ? size.line->reason : size.why_not)},
          {"run", size.run},
          {"kept", size.kept}};
}

Json json_of(const TuneOutcome& outcome) {
  Json json{{"workload", outcome.workload},
            {"parameters", outcome.parameters},
            {"variant", outcome.variant},
            {"fallbacks", outcome.fallbacks},
            {"winner", outcome.search.winner},
            {"cut_short", outcome.search.cut_short},
            {"configurations", Json::array()},
            {"judged", Json::array()},
            {"overfit", is_overfit(outcome)},
            {"error", outcome.error ? Json(printable_utf8(outcome.error->message)) : Json(nullptr)}};
  for (const Contender& contender : outcome.search.contenders)
    json["configurations"].push_back(json_of(contender));
  for (const JudgedSize& size : outcome.judged) json["judged"].push_back(json_of(size));
  return json;
}

}  // namespace

std::string tune_text(const TuneOutcome& outcome) {
  std::string text =
      fmt::format("{} {}: {} ({})\n", report::visible(outcome.workload), report::visible(outcome.parameters),
                  report::visible(outcome.variant), report::visible(outcome.fallbacks));
  std::vector<Contender> order = outcome.search.contenders;
  std::ranges::stable_sort(order, std::greater(), [](const Contender& c) {
    return std::pair(c.fate == Fate::winner, c.ratio ? c.ratio->ratio : 0);
  });
  for (const Contender& contender : order) text += contender_line(contender);
  if (!outcome.judged.empty())
    text += fmt::format("judged in runs of their own: speed-up of {} over {}\n",
                        report::visible(outcome.search.winner), report::visible(outcome.variant));
  for (const JudgedSize& size : outcome.judged) text += size_line(size);
  if (!outcome.error) text += report::visible(conclusion(outcome)) + "\n";
  return text;
}

std::string tune_json(const std::vector<TuneOutcome>& outcomes, const std::string& hardware) {
  Json list = Json::array();
  for (const TuneOutcome& outcome : outcomes) list.push_back(json_of(outcome));
  return json_document("tune", {{"hardware", hardware}, {"outcomes", list}});
}

int tune_exit_code(const TuneOutcome& outcome) {
  if (outcome.error) return static_cast<int>(outcome.error->code);
  int code = kExitValid;
  std::vector<ComparisonLine> lines;
  for (const JudgedSize& size : outcome.judged) {
    if (size.line) {
      lines.push_back(*size.line);
    } else {
      code = kExitUnproven;  // what was not judged is not proven
    }
  }
  if (outcome.search.cut_short) code = kExitUnproven;
  return worse_exit(code, exit_code_of(lines));
}

}  // namespace aisp::cli
