// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/reported_run.h"

#include <algorithm>

#include "aisp/core/exit_code.h"

namespace aisp::report {

std::string exit_code_text(const std::optional<int>& code) {
  return code ? "exit code " + std::to_string(*code) : "exit code unknown";
}

std::optional<int> worst_exit_code(std::span<const ReportedRun> runs) {
  int worst = kExitValid;
  for (const ReportedRun& each : runs) {
    if (!each.exit_code) return std::nullopt;
    worst = worse_exit(worst, *each.exit_code);
  }
  return worst;
}

std::vector<std::string> machines_of(std::span<const ReportedRun> runs) {
  std::vector<std::string> machines;
  for (const ReportedRun& each : runs)
    if (std::ranges::find(machines, each.run.manifest.hardware) == machines.end())
      machines.push_back(each.run.manifest.hardware);
  return machines;
}

}  // namespace aisp::report
