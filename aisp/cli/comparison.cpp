// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/format.h"
#include "aisp/report/row.h"
#include "aisp/report/text.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

bool rejected(Validity validity) { return validity >= Validity::invalid; }

std::string reason_of(const VariantResult& variant) {
  if (variant.validity == Validity::valid) return "";
  const Finding* finding = report::decisive_finding(variant);
  if (finding != nullptr) return variant.name + ": " + finding->guard + ": " + finding->because;
  return variant.name + ": " + (variant.skipped.empty() ? "there is no number" : variant.skipped);
}

int code_of(const ComparisonLine& line) {
  if (line.validity == Validity::failed) return kExitWorkload;
  if (line.validity == Validity::invalid) return kExitInvalid;
  if (line.validity == Validity::unproven) return kExitUnproven;
  if (!line.ratio || line.ratio->outcome == Outcome::inconclusive) return kExitInconclusive;
  return line.ratio->outcome == Outcome::slower && !line.ratio->small ? kExitInvalid : kExitValid;
}

std::string text_of(const ComparisonLine& line) {
  std::string text =
      fmt::format("  {:<44} {:<24} {}", report::visible(line.what),
                  line.ratio ? report::format_ratio(*line.ratio) : std::string("-"), verdict_of(line));
  if (line.claimed) text += " (claimed " + report::format_ratio(*line.claimed) + ")";
  if (!line.reason.empty()) text += ": " + report::visible(line.reason);
  if (!line.note.empty()) text += "; " + report::visible(line.note);
  return text + "\n";
}

Json json_of(const ComparisonLine& line) {
  return {{"what", line.what},
          {"validity", std::string(name_of(line.validity))},
          {"verdict", verdict_of(line)},
          {"ratio", to_json(line.ratio)},
          {"claimed", to_json(line.claimed)},
          {"reason", printable_utf8(line.reason)},
          {"note", line.note}};
}

/// Says which lines decided, where not all of them agree.
std::string decided_by(const std::vector<ComparisonLine>& lines, int code) {
  std::vector<std::string> deciding;
  for (const ComparisonLine& line : lines) {
    if (code_of(line) == code) deciding.push_back(line.what);
  }
  if (code == kExitValid || deciding.size() == lines.size()) return "";
  std::string text = fmt::format("exit code {}, by {} of {}:", code, deciding.size(), lines.size());
  for (const std::string& what : deciding) text += " " + report::visible(what) + ";";
  text.back() = '\n';
  return text;
}

}  // namespace

std::string verdict_of(const ComparisonLine& line) {
  if (line.validity != Validity::valid) return std::string(name_of(line.validity));
  if (!line.ratio || line.ratio->outcome == Outcome::inconclusive) return "cannot tell";
  return std::string(name_of(line.ratio->outcome)) + (line.ratio->small ? " (small)" : "");
}

Error nothing_in_common() {
  return {ErrorCode::bad_input, "the two have nothing in common to compare",
          "`aisp show RUN` lists what a run measured"};
}

ComparisonLine line_of(std::string what, const VariantResult& first, const VariantResult& second,
                       std::optional<RatioEstimate> ratio, std::string note) {
  ComparisonLine line;
  line.what = std::move(what);
  line.note = std::move(note);
  line.validity = std::max(first.validity, second.validity);
  for (const VariantResult* side : {&first, &second}) {
    if (line.reason.empty() && side->validity == line.validity) line.reason = reason_of(*side);
  }
  if (rejected(line.validity)) {
    if (ratio && ratio->ratio > 0) line.claimed = ratio->ratio;
  } else {
    line.ratio = std::move(ratio);
  }
  return line;
}

Json comparison_json(const ComparisonAnswer& answer) {
  Json json{{"first", answer.first},
            {"second", answer.second},
            {"run", answer.run},
            {"comparisons", Json::array()},
            {"left_out", answer.left_out}};
  for (const ComparisonLine& line : answer.lines) json["comparisons"].push_back(json_of(line));
  return json;
}

int exit_code_of(const std::vector<ComparisonLine>& lines) {
  int code = kExitValid;
  for (const ComparisonLine& line : lines) code = worse_exit(code, code_of(line));
  return code;
}

int print_answer(const Arguments& arguments, const ComparisonAnswer& answer) {
  if (const int signal = harness::interrupted(); signal != 0 && answer.lines.empty()) return 128 + signal;
  if (answer.lines.empty()) return fail(arguments, nothing_in_common());
  const int code = exit_code_of(answer.lines);
  std::string text =
      fmt::format("speed-up of {} over {}\n", report::visible(answer.second), report::visible(answer.first));
  for (const ComparisonLine& line : answer.lines) text += text_of(line);
  for (const std::string& what : answer.left_out) text += "  " + report::visible(what) + "\n";
  if (std::ranges::any_of(answer.lines, [](const auto& line) { return line.note.starts_with("unpaired"); }))
    text +=
        "unpaired: two runs share no rounds, so that what the machine did on either day is in the ratio; "
        "its\n"
        "interval is the widest that follows from theirs. `aisp compare WORKLOAD --build OLD NEW` pairs two "
        "builds.\n";
  text += decided_by(answer.lines, code);
  if (!answer.run.empty()) text += "stored as run " + answer.run + "\n";
  if (!print(arguments.json() ? json_document("compare", comparison_json(answer)) : text))
    return static_cast<int>(ErrorCode::io);
  if (const int signal = harness::interrupted(); signal != 0) return 128 + signal;
  return code;
}

}  // namespace aisp::cli
