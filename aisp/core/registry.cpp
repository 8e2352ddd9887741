// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/registry.h"

#include <algorithm>
#include <tuple>
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

void Registry::add(Ladder ladder) noexcept { waiting_.push_back(std::move(ladder)); }

void Registry::join_ladders() noexcept {
  std::erase_if(waiting_, [&](const Ladder& ladder) {
    const Workload* workload = find(ladder.workload);
    if (workload == nullptr) return false;
    Workload joined = on_ladder(*workload, ladder);
    const auto same = [&](const auto& other) {
      return other->id == joined.id && other->device == joined.device;
    };
    const std::string what = joined.id + " on " + std::string(name_of(joined.device));
    if (const Status valid = validate(joined); !valid) {
      problems_.push_back(what + " (" + ladder.source + "): " + valid.error().message);
    } else if (workload->device == joined.device || std::ranges::any_of(joined_, same)) {
      problems_.push_back(what + " is registered again by " + ladder.source);
    } else {
      joined_.push_back(std::make_unique<Workload>(std::move(joined)));
    }
    return true;
  });
}

std::vector<const Workload*> Registry::workloads() {
  join_ladders();
  std::vector<const Workload*> sorted;
  for (const auto* list : {&workloads_, &joined_}) {
    for (const auto& workload : *list) sorted.push_back(workload.get());
  }
  std::ranges::sort(sorted, {}, [](const Workload* w) { return std::tuple(w->id, w->device); });
  return sorted;
}

const Workload* Registry::find(std::string_view id) const {
  for (const auto& workload : workloads_) {
    if (workload->id == id) return workload.get();
  }
  return nullptr;
}

const Workload* Registry::find(std::string_view id, DeviceKind device) {
  for (const Workload* workload : workloads()) {
    if (workload->id == id && workload->device == device) return workload;
  }
  return nullptr;
}

std::vector<std::string> Registry::problems() {
  join_ladders();
  std::vector<std::string> all = problems_;
  for (const Ladder& ladder : waiting_) {
    all.push_back("a ladder for " + ladder.workload + " is registered by " + ladder.source +
                  ", and no such workload");
  }
  return all;
}

Registration::Registration(Workload workload, const char* file) noexcept {
  workload.source = file;
  Registry::instance().add(std::move(workload));
}

LadderRegistration::LadderRegistration(Ladder ladder, const char* file) noexcept {
  ladder.source = file;
  Registry::instance().add(std::move(ladder));
}

}  // namespace aisp
