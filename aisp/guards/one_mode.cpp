// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding one_mode_finding(const Evidence& evidence) {
  const auto& two_modes = evidence.sampling.two_modes;
  if (!two_modes) return unknown("too few samples to tell one mode from two", "give the cell more time");
  if (*two_modes) {
    return note(
        "the times fall into two groups",
        "look at the distribution in the report: page placement, frequency steps, or a path taken now and "
        "then; the median may sit in either group");
  }
  return pass("one mode");
}

}  // namespace

constexpr Guard one_mode{
    .id = "one_mode",
    .question = "Are the times of one kind?",
    .issues = {57},
    .required_from = Policy::strict,
    .judge = one_mode_finding,
};

}  // namespace aisp::guards
