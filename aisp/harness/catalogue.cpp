// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/catalogue.h"

#include <algorithm>

#include "aisp/core/registry.h"

namespace aisp::harness {
namespace {

/// Of one variant; beside them the worker needs a few of its own, and 1,024 end it.
constexpr std::int64_t kMostThreads = 512;

}  // namespace

WorkloadInfo describe(const Workload& workload, const std::string& plugin) {
  WorkloadInfo info{.id = workload.id,
                    .title = workload.title,
                    .idea = workload.idea,
                    .source = workload.source,
                    .shape = workload.shape,
                    .bound = workload.bound,
                    .goal = workload.goal,
                    .device = workload.device,
                    .tags = workload.tags};
  for (const Axis& axis : workload.axes) {
    std::int64_t small = axis.small;
    if (small == 0) small = *std::min_element(axis.values.begin(), axis.values.end());
    std::optional<std::int64_t> most = axis.most;
    if (axis.name == "threads") most = std::min(most.value_or(kMostThreads), kMostThreads);
    info.axes.push_back({axis.name, axis.values, axis.quick, small, axis.least, most});
  }
  for (const Variant& variant : workload.variants) {
    VariantInfo& out = info.variants.emplace_back(VariantInfo{variant.name, variant.note, variant.rung});
    if (variant.search) {
      out.search_variable = variant.search->variable;
      out.search_values = variant.search->values;
    }
    out.tunables = variant.tunables;
  }
  info.plugin = plugin;
  return info;
}

std::vector<WorkloadInfo> built_in_catalogue() {
  std::vector<WorkloadInfo> catalogue;
  for (const Workload* workload : Registry::instance().workloads()) catalogue.push_back(describe(*workload));
  return catalogue;
}

}  // namespace aisp::harness
