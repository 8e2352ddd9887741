// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where workload files put their workload, before main() and without touching any device.
///
///   const Registration registered{{.id = "ch07/transpose", ...}};
///
/// Problems (a duplicate id, an empty idea) are recorded, not thrown, and reported by whoever lists the
/// registry.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/workload.h"

namespace aisp {

class Registry {
 public:
  /// The registry of this binary or plugin.
  static Registry& instance();

  void add(Workload workload) noexcept;
  /// Sorted by id; the order of registration never matters.
  std::vector<const Workload*> workloads() const;
  const Workload* find(std::string_view id) const;
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<std::unique_ptr<Workload>> workloads_;
  std::vector<std::string> problems_;
};

struct Registration {
  Registration(Workload workload,
               const char* file = __builtin_FILE()) noexcept;  // NOLINT(google-explicit-constructor)
};

}  // namespace aisp
