// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding not_traced_finding(const Evidence& evidence) {
  const auto& traced = evidence.environment.traced;
  if (!traced)
    return unknown("whether a tracer was attached is not known", "/proc/self/status could not be read");
  if (*traced) {
    return reject("a debugger or tracer was attached to the worker",
                  "time without it; profile in a run of its own");
  }
  return pass("not traced");
}

}  // namespace

constexpr Guard not_traced{
    .id = "not_traced",
    .question = "Did it run without a debugger or tracer?",
    .issues = {7},
    .required_from = Policy::standard,
    .judge = not_traced_finding,
};

}  // namespace aisp::guards
