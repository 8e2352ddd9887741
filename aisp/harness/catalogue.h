// SPDX-License-Identifier: Apache-2.0
/// \file
/// What there is to run, as data that can cross a process boundary: `list`, name resolution and the
/// coordinator use this and never touch a workload's functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"

namespace aisp::harness {

struct AxisInfo {
  std::string name;
  std::vector<std::int64_t> values, quick;
  std::int64_t small = 0;
  std::int64_t least = 1;
  std::optional<std::int64_t> most;
  AISP_FIELDS(name, values, quick, small, least, most)
};

struct VariantInfo {
  std::string name;
  std::string note;
  Rung rung = Rung::step;
  std::string search_variable;
  std::vector<std::string> search_values;
  std::vector<Tunable> tunables;
  AISP_FIELDS(name, note, rung, search_variable, search_values, tunables)
};

struct WorkloadInfo {
  std::string id, title, idea, source;
  Shape shape = Shape::call;
  Bound bound = Bound::memory;
  Goal goal = Goal::speed;
  DeviceKind device = DeviceKind::cpu;
  std::vector<std::string> tags;
  std::vector<AxisInfo> axes;
  std::vector<VariantInfo> variants;
  std::string plugin;  ///< path; empty for built-in ones
  AISP_FIELDS(id, title, idea, source, shape, bound, goal, device, tags, axes, variants, plugin)
};

/// `plugin`: the library it was loaded from; empty for a built-in one.
WorkloadInfo describe(const Workload& workload, const std::string& plugin = {});
/// Of the workloads registered in this binary.
std::vector<WorkloadInfo> built_in_catalogue();

}  // namespace aisp::harness
