// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

constexpr const char* kHint = "do the work on the device; what may be prepared belongs into prepare()";

// A thread that waits for the device spins like one that computes. But it waits in the driver.
Finding look_at_call(const Evidence& evidence) {
  const DeviceEvidence& device = evidence.accelerator;
  if (device.tensors_on_host.value_or(false))
    return pass("does not apply: timed by the host's clock, with tensors that are the host's");
  if (!device.host_alone_share || !device.tensors_on_host) {
    return unknown("what the host did while calls were made was not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  const double alone_ns = *device.host_alone_share * evidence.timing.shortest_window_ns;
  if (!(*device.host_alone_share <= kLargestAloneShare || alone_ns <= kHostAloneNs)) {
    return reject("for " + percent(*device.host_alone_share) +
                      " of a call the device was idle and the host busy outside the driver",
                  kHint);
  }
  return pass("the device was idle and the host busy outside the driver for " +
              percent(*device.host_alone_share) + " of a call");
}

Finding host_only_launches_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  if (evidence.timing.instrument == Instrument::call) return look_at_call(evidence);
  const auto& share = evidence.accelerator.host_over_launching;
  if (!share) return unknown("how long calls took on the host was not seen", "let the run finish");
  if (!(*share <= kLargestHostShare)) {
    return reject("calls took " + number(*share) +
                      " times as long on the host as launching and the device's work explain",
                  kHint);
  }
  return pass("the host took " + number(*share) + " of what launching and the device's work explain");
}

}  // namespace

constexpr Guard host_only_launches{
    .id = "host_only_launches",
    .question = "Did the host only queue work, and the device do it?",
    .issues = {29, 49},
    .required_from = Policy::standard,
    .judge = host_only_launches_finding,
};

}  // namespace aisp::guards
