// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `--combinations` asks of a run: every subset of the techniques that a workload declares as switches
/// (core/combinations.h), measured in the same rounds as its baseline and instead of its ladder.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"

namespace aisp::cli {

/// Names the subsets in the configuration, which is stored: the run is resumed and repeated without the flag.
/// Workloads that declare no techniques are left out; an error where none of those chosen does.
Status ask_for_combinations(RunConfig& config);

/// Those that declare techniques, by id.
std::vector<std::string> with_techniques(const std::vector<harness::WorkloadInfo>& catalogue,
                                         DeviceKind device);

/// "ch07/transpose, ch09/softmax", and no more of them than one reads.
std::string listed(const std::vector<std::string>& names);

}  // namespace aisp::cli
