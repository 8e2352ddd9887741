// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding load_low_finding(const Evidence& evidence) {
  const auto& load = evidence.environment.load_before;
  if (!load) return unknown("the load before the run is not known", "/proc/loadavg could not be read");
  if (!(*load <= kNotableLoad)) {
    return note(number(*load) + " runnable tasks per core before the run",
                "stop other work; pairing keeps the ratio fair, but intervals grow");
  }
  return pass(number(*load) + " runnable tasks per core before the run");
}

}  // namespace

constexpr Guard load_low{
    .id = "load_low",
    .question = "Was the machine idle before the run?",
    .issues = {87},
    .required_from = Policy::strict,
    .judge = load_low_finding,
};

}  // namespace aisp::guards
