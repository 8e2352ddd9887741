// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/registry.h"

#include <algorithm>
#include <utility>

namespace aisp {

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(Workload workload) noexcept {
  if (const Status valid = validate(workload); !valid) {
    problems_.push_back(workload.id + " (" + workload.source + "): " + valid.error().message);
    return;
  }
  if (const Workload* other = find(workload.id)) {
    problems_.push_back(workload.id + " is registered by " + other->source + " and again by " +
                        workload.source);
    return;
  }
  workloads_.push_back(std::make_unique<Workload>(std::move(workload)));
}

std::vector<const Workload*> Registry::workloads() const {
  std::vector<const Workload*> sorted;
  for (const auto& workload : workloads_) sorted.push_back(workload.get());
  std::ranges::sort(sorted, {}, [](const Workload* w) { return w->id; });
  return sorted;
}

const Workload* Registry::find(std::string_view id) const {
  for (const auto& workload : workloads_) {
    if (workload->id == id) return workload.get();
  }
  return nullptr;
}

Registration::Registration(Workload workload, const char* file) noexcept {
  workload.source = file;
  Registry::instance().add(std::move(workload));
}

}  // namespace aisp
