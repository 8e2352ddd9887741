// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/worksheet.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/report/text.h"

namespace aisp::cli {

std::string plain_number(double value) {
  const bool whole = value == std::floor(value) || std::abs(value) >= 1e6;
  if (whole && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

Status Worksheet::need(std::initializer_list<const char*> flags) const {
  std::string missing;
  for (const char* flag : flags) {
    if (!arguments_.has(flag)) missing += std::string(missing.empty() ? "" : ", ") + "--" + flag;
  }
  if (missing.empty()) return Ok{};
  return Error{ErrorCode::usage, "`aisp utils " + command_.name + "` needs " + missing,
               "`aisp utils " + command_.name + " --help` explains them"};
}

void Worksheet::step(const std::string& name, const std::string& arithmetic, double value,
                     const std::string& unit, const std::string& shown) {
  steps_.push_back({name, arithmetic, unit, shown, value});
}

int Worksheet::print() const {
  return cli::print(arguments_.json() ? json() : text()) ? 0 : static_cast<int>(ErrorCode::io);
}

std::string Worksheet::text() const {
  std::string out;
  for (const Flag& flag : command_.flags) {
    if (!arguments_.has(flag.name)) continue;
    const std::string value = arguments_.text(flag.name);
    out += fmt::format("  {:<22} {}{}\n", "--" + flag.name, report::visible(value),
                       value == flag.fallback ? " (default)" : "");
  }
  for (const auto& [name, value] : assumed_)
    out += fmt::format("  {:<22} {} (default)\n", "--" + name, plain_number(value));
  out += "\n";
  for (const Step& step : steps_) {
    out += fmt::format("{:<24} {}{} {}", step.name, step.arithmetic.empty() ? "" : step.arithmetic + " = ",
                       plain_number(step.value), step.unit);
    if (!step.shown.empty()) out += " (" + step.shown + ")";
    while (out.ends_with(' ')) out.pop_back();
    out += "\n";
  }
  for (const std::string& note : notes_) out += "\n" + note + "\n";
  return out;
}

std::string Worksheet::json() const {
  Json inputs = Json::array(), steps = Json::array();
  for (const Flag& flag : command_.flags) {
    if (!arguments_.has(flag.name)) continue;
    const std::string value = arguments_.text(flag.name);
    Json input{{"name", flag.name}, {"value", printable_utf8(value)}, {"default", value == flag.fallback}};
    if (flag.kind == FlagKind::integer || flag.kind == FlagKind::real)
      input["value"] = arguments_.number(flag.name);
    inputs.push_back(input);
  }
  for (const auto& [name, value] : assumed_)
    inputs.push_back({{"name", name}, {"value", value}, {"default", true}});
  for (const Step& step : steps_)
    steps.push_back(
        {{"name", step.name}, {"arithmetic", step.arithmetic}, {"value", step.value}, {"unit", step.unit}});
  return json_document(command_.name, {{"inputs", inputs}, {"steps", steps}, {"notes", notes_}});
}

}  // namespace aisp::cli
