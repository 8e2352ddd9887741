// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the recorded windows of one variant show together.
///
///   AuditLedger ledger;
///   for (...) ledger.add(probes::activity_of(...), recorder, device_ns);
///   audited.device = ledger.evidence();
#pragma once

#include <optional>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/device/gpu/activity.h"
#include "aisp/probes/window_activity.h"

namespace aisp::harness {

class AuditLedger {
 public:
  /// `recorder`: of the recording just ended. `device_ns`: the window's time on the device, where events told
  /// it.
  void add(const probes::WindowActivity& found, const device::ActivityRecorder& recorder,
           std::optional<double> device_ns);
  /// What no record could have shown stays unknown.
  DeviceEvidence evidence() const;

 private:
  DeviceEvidence seen_;
  std::vector<double> outside_ns_, device_ns_, alone_share_;
  std::vector<std::uint64_t> kernels_;
};

}  // namespace aisp::harness
