// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds an anchor's fastest setting before it is compared with: a library held at a poor default is no
/// anchor. Each setting is an environment variable read when the library is loaded, so each is tried in a
/// worker of its own.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "aisp/harness/catalogue.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

struct AnchorSettings {
  std::vector<std::pair<std::string, std::string>> environment;  ///< for the workers that measure
  std::map<std::string, std::string> chosen;                     ///< variant to "VARIABLE=value"
};

AnchorSettings search_anchors(const WorkloadInfo& workload, const CellSpec& cell, const WorkerSetup& setup);

}  // namespace aisp::harness
