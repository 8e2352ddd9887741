// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Events are the device's word. Over 1, 2, 4 and 8 calls the wall clock must grow as they do.
Finding device_agrees_with_wall_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  if (evidence.timing.instrument == Instrument::call)
    return pass("does not apply: timed by the host's clock, until the device is idle");
  const auto& ratio = evidence.accelerator.device_over_wall;
  if (!ratio) return unknown("device time was not compared with the wall clock", "let the run finish");
  if (!(std::fabs(*ratio - 1) <= kWallTolerance)) {
    return reject("more calls add " + number(*ratio) + " times as much to device time as to the wall clock",
                  "all work must be between the events, and events must tell the truth");
  }
  return pass("device time grows with the wall clock: " + number(*ratio));
}

}  // namespace

constexpr Guard device_agrees_with_wall{
    .id = "device_agrees_with_wall",
    .question = "Do the device's clock and the wall clock tell the same?",
    .issues = {3},
    .required_from = Policy::standard,
    .judge = device_agrees_with_wall_finding,
};

}  // namespace aisp::guards
