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

#include "aisp/core/ladder.h"
#include "aisp/core/workload.h"

namespace aisp {

class Registry {
 public:
  /// The registry of this binary or plugin.
  static Registry& instance();

  void add(Workload workload) noexcept;
  void add(Ladder ladder) noexcept;
  /// Sorted by id and device; the order of registration never matters. A workload with ladders for other
  /// devices is there once for each.
  std::vector<const Workload*> workloads();
  /// On the device it was declared for.
  const Workload* find(std::string_view id) const;
  const Workload* find(std::string_view id, DeviceKind device);
  std::vector<std::string> problems();

 private:
  void join_ladders() noexcept;

  std::vector<std::unique_ptr<Workload>> workloads_;  ///< as declared
  std::vector<std::unique_ptr<Workload>> joined_;     ///< on the devices of their ladders
  std::vector<Ladder> waiting_;                       ///< for their workload to be declared
  std::vector<std::string> problems_;
};

struct Registration {
  Registration(Workload workload,
               const char* file = __builtin_FILE()) noexcept;  // NOLINT(google-explicit-constructor)
};

}  // namespace aisp
