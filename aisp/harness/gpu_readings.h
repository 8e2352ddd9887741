// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the windows of one variant showed of the device, beside their times.
///
///   GpuReadings readings;
///   readings.look_into(variant, sets);   // once, when it is calibrated
///   readings.note(variant, variant.time(sets, [&] { readings.look(gpu.sensors()); }));   // every window
///   readings.record(evidence);
#pragma once

#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/harness/gpu_variant.h"
#include "aisp/probes/device_watch.h"

namespace aisp::harness {

class GpuReadings {
 public:
  void look_into(GpuVariant& variant, GpuVariant::Sets sets);
  void note(const GpuVariant& variant, const GpuWindow& window);
  /// While the device works, or right after.
  void look(device::SensorReader& sensors) { watch_.look(sensors); }
  void record(Evidence& evidence) const;

 private:
  DeviceEvidence seen_;
  probes::DeviceWatch watch_;
  std::vector<double> late_ns_, host_share_;
};

}  // namespace aisp::harness
