// SPDX-License-Identifier: Apache-2.0
/// \file
/// The store as a server uses it: read-only, a connection for each thread that asks at the same time, figures
/// remembered while nothing is added. One that appears later, or is replaced, is noticed.
///
///   ServedStore served(arguments);
///   return served.with([&](store::Store* store) { ... });   // nullptr: there is none yet
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/server/message.h"
#include "aisp/store/store.h"

namespace aisp::cli {

class ServedStore {
 public:
  explicit ServedStore(Arguments arguments);

  /// From any thread. A store that cannot be opened is the response.
  server::Response with(const std::function<server::Response(store::Store*)>& work);
  /// Changes with every event that is added, whoever adds it.
  std::string version();
  /// The figures a question is about; many questions are about the same.
  Result<Figures> figures(store::Store* store, const Arguments& arguments);

 private:
  struct Opened {
    std::string identity;  ///< of the file
    store::Store store;
  };
  Result<std::unique_ptr<Opened>> take();
  void give_back(std::unique_ptr<Opened> opened);

  Arguments arguments_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Opened>> idle_;
  struct Remembered {
    std::string version;
    Figures figures;
  };
  /// Null where there are none of this version.
  Figures remembered(const std::string& key, const std::string& version);
  std::map<std::string, Remembered> figures_;
  std::mutex reading_;  ///< one reads for all that ask at the same time
};

}  // namespace aisp::cli
