// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a GPU around the windows of one variant: its clock, what held it back, its power limit, who
/// else used it. Read after a window, while the clock is still what the window had.
///
///   DeviceWatch watch;
///   watch.look(gpu.sensors());   // after each window
///   watch.record(evidence);
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/device/gpu/sensors.h"
#include "aisp/probes/power_limit.h"

namespace aisp::probes {

class DeviceWatch {
 public:
  /// Some tens of microseconds of the driver's time.
  void look(device::SensorReader& sensors);
  /// What was not readable stays unknown.
  void record(Evidence& evidence) const;

 private:
  std::vector<double> core_mhz_;
  std::set<std::string> throttling_;
  bool throttling_known_ = false;
  PowerLimitRange power_limit_;
};

/// Processes that compute on the device, through a shared server too, beside this one and other workers of
/// the run. Unknown where they are not told, or where this process itself is not among them.
void record_neighbours(device::SensorReader& sensors, DeviceEvidence& evidence);

}  // namespace aisp::probes
