// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads a plugin and adds its workloads to a list. Called in workers only: a plugin's constructors are
/// workload code, and the coordinator never runs workload code.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/core/workload.h"

namespace aisp::harness {

/// The plugin's workloads; the library stays loaded for the life of the process.
Result<std::vector<const Workload*>> load_plugin(const std::string& path);

/// A workload and where it comes from: the absolute path of its plugin, empty for a built-in one.
struct AvailableWorkload {
  const Workload* workload = nullptr;
  std::string plugin;
  const std::string& id() const { return workload->id; }
  DeviceKind device() const { return workload->device; }
};

/// Built-in workloads and those of the plugins, sorted by id and device. A plugin's workload with a
/// built-in's id is an error.
Result<std::vector<AvailableWorkload>> available_workloads(const std::vector<std::string>& plugins);

}  // namespace aisp::harness
