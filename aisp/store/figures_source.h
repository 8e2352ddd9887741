// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where figures are read from: the store's own tables, or tables derived in memory where those are missing
/// or behind and the store may not be changed.
///
///   const FiguresSource source(store.database(), query.workloads);
///   Statement rows = source.database().prepare("SELECT * FROM latest_figures");
///
/// As long as it lives, what is read is of one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/store/database.h"

namespace aisp::store {

class FiguresSource {
 public:
  /// Only figures of these workloads need to be there; none named: all of them.
  FiguresSource(const Database& store, const std::vector<std::string>& workloads);
  const Database& database() const { return memory_ ? *memory_ : store_; }

 private:
  void derive(const std::string& workload);

  const Database& store_;
  Snapshot snapshot_;
  std::optional<Database> memory_;
};

}  // namespace aisp::store
