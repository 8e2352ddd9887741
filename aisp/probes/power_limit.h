// SPDX-License-Identifier: Apache-2.0
/// \file
/// How much power the CPU's packages may draw for long, as the kernel tells it (RAPL). A GPU's limit comes
/// from its sensors (device/gpu/sensors.h).
///
///   if (const auto watts = cpu_power_limit_w()) ...
///
/// Virtual machines hide it, and some processors count energy without a limit: nothing then.
#pragma once

#include <optional>
#include <string>

namespace aisp::probes {

/// Of all packages together. `root` is prepended to every path read.
std::optional<double> cpu_power_limit_w(const std::string& root = "");

/// The lowest and the highest limit of several looks.
class PowerLimitRange {
 public:
  void look(std::optional<double> watts);
  /// Nothing where no look told.
  std::optional<double> lowest_w() const { return lowest_; }
  std::optional<double> highest_w() const { return highest_; }

 private:
  std::optional<double> lowest_, highest_;
};

}  // namespace aisp::probes
