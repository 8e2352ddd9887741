// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Behind the gate a call that waits for the device waits until the gate gives up: what it reads is the
// gate's patience, not its own time.
Finding device_not_waited_for_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  if (evidence.timing.instrument == Instrument::call)
    return pass("does not apply: timed by the host's clock, until the device is idle");
  const auto& waited = evidence.accelerator.waited;
  if (!waited) return unknown("whether calls waited for the device was not seen", "let the run finish");
  if (*waited > 0) {
    return reject(
        count(*waited) + " calls waited for the device while it was held",
        "do not synchronise inside the call, or declare .host_sync = true for the variant; a call of a "
        "thousand launches and more can be timed with --graph");
  }
  return pass("no call waited for the device");
}

}  // namespace

constexpr Guard device_not_waited_for{
    .id = "device_not_waited_for",
    .question = "Did the call only queue its work, as it declares?",
    .issues = {3},
    .required_from = Policy::standard,
    .judge = device_not_waited_for_finding,
};

}  // namespace aisp::guards
