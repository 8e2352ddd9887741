// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/power_limit.h"

#include <algorithm>

#include "aisp/probes/kernel_files.h"

namespace aisp::probes {

std::optional<double> cpu_power_limit_w(const std::string& root) {
  const std::string zones = root + "/sys/class/powercap/";
  std::optional<double> total;
  // "intel-rapl:0" is a package, "intel-rapl:0:1" a part of one; processors of other makers are named so too.
  for (const std::string& zone : numbered_entries(zones, "intel-rapl:")) {
    if (!read_line(zones + zone + "/name").value_or("").starts_with("package-")) continue;
    for (int constraint = 0;; ++constraint) {
      const std::string file = zones + zone + "/constraint_" + std::to_string(constraint);
      const auto name = read_line(file + "_name");
      if (!name) break;
      const auto microwatts = read_number(file + "_power_limit_uw");
      if (*name != "long_term") continue;
      if (!microwatts) return std::nullopt;
      total = total.value_or(0) + static_cast<double>(*microwatts) * 1e-6;
    }
  }
  return total;
}

void PowerLimitRange::look(std::optional<double> watts) {
  if (!watts) return;
  lowest_ = std::min(lowest_.value_or(*watts), *watts);
  highest_ = std::max(highest_.value_or(*watts), *watts);
}

}  // namespace aisp::probes
