// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/live.h"

#include <cmath>

#include "aisp/core/exit_code.h"
#include "aisp/core/result.h"
#include "aisp/report/text.h"

namespace aisp::tui {
namespace {

constexpr std::size_t kLogLines = 50, kLogBytes = 400;

double half_width(const Estimate& ratio) { return (ratio.high - ratio.low) / 2 / ratio.value; }

}  // namespace

void LiveRun::take(std::string_view line) {
  const std::optional<report::ProgressEvent> event = report::read_progress_line(line);
  if (!event) {
    if (line.empty()) return;
    log.push_back(report::visible(line.substr(0, kLogBytes)));
    if (log.size() > kLogLines) log.erase(log.begin());
    return;
  }
  now = *event;
  if (event->event == "cell") {
    variants.clear();
    narrowed_.clear();
  }
  if (event->event == "look" || event->event == "cell_finished") variants = event->variants;
  if (event->event == "look") {
    for (const report::LookedVariant& v : variants)
      if (v.ratio && v.ratio->value > 0) narrowed_[v.name].push_back(half_width(*v.ratio));
  }
  if (event->event == "cell_finished") finished.push_back(*event);
}

void LiveRun::ended(int code) { exit_code = code; }

std::optional<double> LiveRun::seconds_left() const {
  // The first moments say nothing about the rest.
  if (!running() || !(now.share > 0.02) || !(seconds > 1)) return std::nullopt;
  return seconds / now.share * (1 - std::min(now.share, 1.0));
}

std::vector<double> LiveRun::half_widths(const std::string& variant) const {
  const auto found = narrowed_.find(variant);
  return found == narrowed_.end() ? std::vector<double>() : found->second;
}

std::string exit_text(int code) {
  switch (code) {
    case 0:
      return "valid";
    case kExitInvalid:
      return "a guard rejected a row";
    case static_cast<int>(ErrorCode::usage):
      return "it was not understood";
    case static_cast<int>(ErrorCode::bad_input):
      return "bad input";
    case kExitUnproven:
      return "unproven, or this machine cannot do it";
    case static_cast<int>(ErrorCode::store):
      return "the store cannot be used";
    case static_cast<int>(ErrorCode::io):
      return "reading or writing failed";
    case kExitWorkload:
      return "workload code crashed or was ended";
    case kExitInconclusive:
      return "inconclusive";
    default:
      return code > 128 ? "ended before it was done" : "an error";
  }
}

}  // namespace aisp::tui
