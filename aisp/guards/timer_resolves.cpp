// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

/// Events are taken by the device, outside what they time: reading them costs the window nothing.
Finding look_at_device(const TimingEvidence& timing) {
  const std::string clock = timing.instrument == Instrument::call ? "the host's clock" : "the device's clock";
  const double window = timing.shortest_window_ns, step = timing.clock_resolution_ns;
  if (step == 0) return unknown(clock + " was not calibrated", "its step is measured at the start");
  if (!(window >= kWindowPerEventStep * step)) {
    return reject("the shortest window, " + duration(window) + ", is " + number(window / step) +
                      " steps of " + clock + " (" + duration(step) + " each); " +
                      number(kWindowPerEventStep) + " are needed",
                  "choose a larger size, or --cache steady, whose windows hold several calls");
  }
  return pass("shortest window " + duration(window) + ", step of " + clock + " " + duration(step));
}

Finding timer_resolves_finding(const Evidence& evidence) {
  const TimingEvidence& timing = evidence.timing;
  const double window = timing.shortest_window_ns;
  const char* hint = "let the harness batch more calls per window, or choose a larger size";
  if (evidence.answers.calls == 0)
    return unknown("no window was timed", "let the run finish at least one round");
  if (evidence.device != DeviceKind::cpu) return look_at_device(timing);
  if (timing.clock_resolution_ns == 0 || timing.clock_cost_ns == 0) {
    return unknown("the clock was not calibrated",
                   "its resolution and cost are measured when a worker starts");
  }
  if (!(window >= kWindowPerResolution * timing.clock_resolution_ns)) {
    return reject("the shortest window, " + duration(window) + ", is " +
                      number(window / timing.clock_resolution_ns) + " steps of the clock (" +
                      duration(timing.clock_resolution_ns) + " each); " + number(kWindowPerResolution) +
                      " are needed",
                  hint);
  }
  if (!(window >= kWindowPerClockCost * timing.clock_cost_ns)) {
    return reject("the shortest window, " + duration(window) + ", is only " +
                      number(window / timing.clock_cost_ns) + " x the cost of reading the clock (" +
                      duration(timing.clock_cost_ns) + "); " + number(kWindowPerClockCost) + " x is needed",
                  hint);
  }
  return pass("shortest window " + duration(window) + ", clock step " + duration(timing.clock_resolution_ns) +
              ", reading " + duration(timing.clock_cost_ns));
}

}  // namespace

constexpr Guard timer_resolves{
    .id = "timer_resolves",
    .question = "Is the shortest timed window long enough for this clock?",
    .issues = {4},
    .required_from = Policy::portable,
    .judge = timer_resolves_finding,
};

}  // namespace aisp::guards
