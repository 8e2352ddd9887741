// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/workload.h"

#include <set>

#include "aisp/core/combinations.h"
#include "aisp/core/configuration.h"
#include "aisp/core/enum_name.h"

namespace aisp {
namespace {

Error bad_registration(const std::string& what) {
  return {ErrorCode::bad_input, what, "correct the workload's registration"};
}

}  // namespace

std::string_view name_of(Shape shape) { return pick<4>({"call", "stateful", "trace", "collective"}, shape); }
std::string_view name_of(Bound bound) {
  return pick<6>({"memory", "compute", "latency", "cache", "synchronisation", "io"}, bound);
}
std::string_view name_of(Goal goal) { return pick<4>({"speed", "latency", "throughput", "memory"}, goal); }
std::string_view name_of(DeviceKind device) { return pick<2>({"cpu", "cuda"}, device); }
DeviceKind kind_of(std::string_view device) {
  return device.starts_with(name_of(DeviceKind::cuda)) ? DeviceKind::cuda : DeviceKind::cpu;
}
std::string_view name_of(Rung rung) { return pick<3>({"step", "anchor", "informational"}, rung); }

Status validate(const Workload& workload) {
  const auto slash = workload.id.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == workload.id.size()) {
    return bad_registration("id '" + workload.id + "' is not of the form chapter/name");
  }
  if (workload.idea.empty()) return bad_registration("the idea is empty");
  if (!workload.problem || !workload.reference)
    return bad_registration("problem and reference are both needed");
  if (workload.axes.empty()) return bad_registration("no axis");
  for (const Axis& axis : workload.axes) {
    if (axis.values.empty()) return bad_registration("axis '" + axis.name + "' has no values");
    for (const std::int64_t value : axis.values) {
      if (value < axis.least || value > axis.most.value_or(value))
        return bad_registration("axis '" + axis.name + "' lists " + std::to_string(value) +
                                ", which it does not allow");
    }
  }
  if (workload.variants.empty() || workload.variants.front().rung != Rung::step) {
    return bad_registration("the first variant must be the baseline");
  }
  if (workload.device != DeviceKind::cpu && workload.shape != Shape::call) {
    return bad_registration("work of shape " + std::string(name_of(workload.shape)) +
                            " is measured on cpu only");
  }
  std::set<std::string> names;
  for (const Variant& variant : workload.variants) {
    if (!names.insert(variant.name).second)
      return bad_registration("variant '" + variant.name + "' is declared twice");
    if (variant.run.code.index() != static_cast<std::size_t>(workload.shape)) {
      return bad_registration("variant '" + variant.name + "' is not of shape " +
                              std::string(name_of(workload.shape)));
    }
    if (const Status tunables = check_tunables(variant, workload.axes); !tunables) return tunables.error();
  }
  return check_combinations(workload.variants);
}

int threads_of(const Params& params) {
  return params.has("threads") ? static_cast<int>(params["threads"]) : 1;
}

}  // namespace aisp
