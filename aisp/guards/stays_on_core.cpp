// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>

namespace aisp::guards {
namespace {

// Whoever changes the cores it may use runs under other conditions than the rest, and has the round discarded
// when it likes.
Finding stays_on_core_finding(const Evidence& evidence) {
  if (evidence.process.cores_changed.value_or(false)) {
    return reject("the cores that the measuring thread may use changed during a call",
                  "leave the calling thread's affinity alone; the harness pins it");
  }
  const auto& migrations = evidence.process.migrations;
  if (!migrations) return unknown("migrations were not counted", "the core's number cannot be read here");
  const double calls = std::max(1.0, static_cast<double>(evidence.answers.calls));
  const double share = static_cast<double>(*migrations) / calls;
  if (!(share <= kNotableMigrationShare)) {
    return note(count(*migrations) + " windows ended on another core, " + percent(share) + " of the calls",
                "pin the threads (the default), or give the container cores of its own");
  }
  return pass(count(*migrations) + " windows ended on another core");
}

}  // namespace

constexpr Guard stays_on_core{
    .id = "stays_on_core",
    .question = "Did windows end on the core they began on?",
    .issues = {72},
    .required_from = Policy::strict,
    .judge = stays_on_core_finding,
};

}  // namespace aisp::guards
