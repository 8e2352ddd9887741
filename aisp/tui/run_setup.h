// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run is to be started with: a workload and a few choices, each with its usual value first chosen.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/core/workload.h"
#include "aisp/tui/key.h"

namespace aisp::tui {

struct Choice {
  std::string name, help, flag;
  std::vector<std::string> values;
  int chosen = 0;
};

struct RunSetup {
  std::string workload;
  DeviceKind device = DeviceKind::cpu;
  std::string parameters = {};  ///< of the size that was selected: "n=1024 threads=1"; the first of the sizes
  std::vector<Choice> choices;
  int field = 0;

  /// True when the key changed something.
  bool move(const Key& key);
  /// {"run", "ch07/transpose", "--suite=quick", ...}
  std::vector<std::string> words() const;
};

RunSetup setup_for(const std::string& workload, DeviceKind device);
/// To measure a size once more, where it was measured ("cuda:1") and in the same cache mode: the mode that a
/// run takes by itself depends on the device and on settings, and another one is another contest.
RunSetup setup_again(const CellResult& cell);

}  // namespace aisp::tui
