// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

Finding not_faster_than_floor_finding(const Evidence& evidence) {
  const FloorEvidence& floor = evidence.floor;
  if (!floor.floor_ns) {
    return unknown("no floor is known for this work",
                   "declare its bytes or flops, and measure ceilings: `aisp peak`");
  }
  if (evidence.sampling.rounds <= 0)
    return unknown("no round was kept", "let the run finish at least one round");
  const std::string bound = floor.bound.empty() ? "" : " (" + floor.bound + ")";
  if (!(floor.fastest_ns >= kFloorSlack * *floor.floor_ns)) {
    return reject(
        duration(floor.fastest_ns) + " is below " + number(kFloorSlack) + " x the floor of " +
            duration(*floor.floor_ns) + bound,
        "it does less than the declared work, or the declared work is too much, or a ceiling is too low: "
        "check `work`, then run `aisp peak` again");
  }
  return pass(number(floor.fastest_ns / *floor.floor_ns) + " x the floor of " + duration(*floor.floor_ns) +
              bound);
}

}  // namespace

constexpr Guard not_faster_than_floor{
    .id = "not_faster_than_floor",
    .question = "Is the time possible on this machine?",
    .issues = {21, 90},
    .required_from = Policy::strict,
    .judge = not_faster_than_floor_finding,
};

}  // namespace aisp::guards
