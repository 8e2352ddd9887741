// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <cmath>

namespace aisp::guards {
namespace {

Finding clocks_agree_finding(const Evidence& evidence) {
  const auto& seen = evidence.timing.clock_disagreement_ppm;
  if (!seen)
    return unknown("no second clock to compare with", "the cycle counter is not usable as a clock here");
  const double ppm = std::fabs(*seen);
  if (!(ppm <= kLargestClockDisagreementPpm)) {
    return reject(
        "two clocks disagree by " + number(ppm) + " ppm; at most " + number(kLargestClockDisagreementPpm) +
            " can come from keeping time",
        "the machine was suspended or migrated, or its cycle counters differ between cores: run again");
  }
  if (!(ppm <= kNotableClockDisagreementPpm)) {
    return note(
        "two clocks differ by " + number(ppm) + " ppm, " + percent(ppm * 1e-6) + " of every time shown",
        "ratios are not affected: both sides are read from one clock");
  }
  return pass("two clocks agree within " + number(ppm) + " ppm");
}

}  // namespace

constexpr Guard clocks_agree{
    .id = "clocks_agree",
    .question = "Did two independent clocks agree over the attempts?",
    .issues = {6},
    .required_from = Policy::standard,
    .judge = clocks_agree_finding,
};

}  // namespace aisp::guards
