// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding program_unchanged_finding(const Evidence& evidence) {
  const auto& unchanged = evidence.config.binary_unchanged;
  if (!unchanged) return unknown("the program's files were not hashed", "the run did not come to its end");
  if (!*unchanged) {
    return reject("the program or a plugin was replaced during the run",
                  "do not build into the place a run reads from; run again");
  }
  return pass("program and plugins unchanged");
}

}  // namespace

constexpr Guard program_unchanged{
    .id = "program_unchanged",
    .question = "Are the program and its plugins the ones the run began with?",
    .issues = {53, 77, 93},
    .required_from = Policy::standard,
    .judge = program_unchanged_finding,
};

}  // namespace aisp::guards
