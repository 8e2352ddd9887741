// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a history takes from the beginnings of runs. A beginning never changes, so that a server reads each
/// once: a hundred points of a page are of a hundred runs, and reading a manifest costs more than a point.
///
///   RunBeginnings known;
///   known.look_at(store);                              // another file: everything is read again
///   Result<RunBeginnings::Known> facts = known.find(store, "run-id");
///
/// Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "aisp/core/history.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

class RunBeginnings {
 public:
  using Known = std::shared_ptr<const HistoryRun>;

  void look_at(const store::Store& results);
  /// Null for a run without a beginning.
  Result<Known> find(store::Store& results, const std::string& id);

 private:
  std::mutex mutex_;
  std::string identity_;
  std::map<std::string, Known> known_;
};

}  // namespace aisp::cli
