// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding nothing_injected_finding(const Evidence& evidence) {
  const auto& injected = evidence.environment.injected;
  if (!injected) return unknown("the environment was not examined", "the environment probe was off");
  if (!injected->empty() && *injected != "none") {
    return reject("loaded into the worker from outside: " + *injected,
                  "unset it for timed runs; what is interposed is measured too");
  }
  return pass("nothing injected");
}

}  // namespace

constexpr Guard nothing_injected{
    .id = "nothing_injected",
    .question = "Was nothing loaded into the process from outside?",
    .issues = {7},
    .required_from = Policy::standard,
    .judge = nothing_injected_finding,
};

}  // namespace aisp::guards
