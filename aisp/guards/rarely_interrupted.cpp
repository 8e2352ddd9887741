// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>

namespace aisp::guards {
namespace {

Finding rarely_interrupted_finding(const Evidence& evidence) {
  const ProcessEvidence& process = evidence.process;
  if (!process.involuntary_switches || !process.wall_in_windows_ns) {
    return unknown("context switches inside windows were not counted", "getrusage gave nothing here");
  }
  const double seconds = std::max(1.0, *process.wall_in_windows_ns) * 1e-9;
  const double rate = static_cast<double>(*process.involuntary_switches) / seconds;
  if (*process.involuntary_switches > 1 && !(rate <= kNotableSwitchesPerSecond)) {
    return note(count(*process.involuntary_switches) + " involuntary switches inside windows, " +
                    number(rate) + " per second",
                "something else wants the cores: stop it, or use fewer threads than cores");
  }
  return pass(count(*process.involuntary_switches) + " involuntary switches inside windows");
}

}  // namespace

constexpr Guard rarely_interrupted{
    .id = "rarely_interrupted",
    .question = "Did the scheduler let the windows run?",
    .issues = {86, 87},
    .required_from = Policy::strict,
    .judge = rarely_interrupted_finding,
};

}  // namespace aisp::guards
