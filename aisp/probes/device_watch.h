// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a GPU around the windows of one variant: its clocks, what held them back, its power, limit
/// and heat. Read while the device works; of windows shorter than a look right after, while the clock is
/// still what the window had. And of a whole attempt: who else used the device, and whether its memory made
/// errors.
///
///   DeviceWatch watch;
///   watch.look(gpu.sensors());   // in each window
///   watch.record(evidence);
#pragma once

#include <cstdint>
#include <optional>
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
  std::vector<double> core_mhz_, memory_mhz_, watts_;
  std::optional<double> highest_celsius_;
  std::set<std::string> throttling_;
  bool throttling_known_ = false;
  PowerLimitRange power_limit_;
};

/// What only a full reading tells, which takes up to milliseconds: between windows, at both ends of an
/// attempt and now and then, since who computes beside it may come and go.
class AttemptWatch {
 public:
  void look(device::SensorReader& sensors);
  /// Neighbours are processes that compute on the device, through a shared server too, beside this one and
  /// other workers of the run: the most of all looks. Unknown where one look was not told of any, or not of
  /// this process itself, unless another has seen some.
  void record(DeviceEvidence& evidence) const;

 private:
  std::optional<device::Sensors> first_, last_;
  std::uint64_t most_corrected_ = 0,
                most_uncorrected_ = 0;  ///< new in one look: a count may be set back later
  std::uint64_t most_neighbours_ = 0;
  bool neighbours_known_ = true;
};

}  // namespace aisp::probes
