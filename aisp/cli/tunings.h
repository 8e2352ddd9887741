// SPDX-License-Identifier: Apache-2.0
/// \file
/// What was tuned, and for whom it holds: looked up by workload, variant, size, device and build. Kept in the
/// store beside the ceilings, which are known of one machine as these are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/config.h"
#include "aisp/core/result.h"
#include "aisp/core/tuning.h"
#include "aisp/harness/plan.h"
#include "aisp/store/store.h"

namespace aisp::cli {

/// Answers with a key, every program file read once.
class TuningKeys {
 public:
  TuningKeys(const RunConfig& config, std::string hardware)
      : config_(config), hardware_(std::move(hardware)) {}
  /// A Tuning without a choice: what is asked about a variant at a cell's size.
  Tuning of(const harness::PlannedCell& cell, const std::string& variant);

 private:
  /// SHA-256 of this program and, of a plugin's workload, of the plugin.
  const std::string& build_of(const harness::WorkloadInfo& workload);

  const RunConfig& config_;
  std::string hardware_;
  std::map<std::string, std::string> builds_;  ///< by plugin
};

/// The answer to a key; nullptr where none of these is one.
const Tuning* find_tuning(const std::vector<Tuning>& tunings, const Tuning& key);

/// `--tuned`: writes the configurations that were tuned for these cells into the configuration, which is
/// stored: the run is resumed and repeated with the same values. Says on stderr how many there were.
Status use_tunings(const Arguments& arguments, RunConfig& config,
                   const std::vector<harness::PlannedCell>& cells);

/// `aisp tune --list` and `--forget`, of what is known on this device.
int list_tunings(const Arguments& arguments);
int forget_tunings(const Arguments& arguments);

}  // namespace aisp::cli
