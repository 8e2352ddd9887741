// SPDX-License-Identifier: Apache-2.0
/// \file
/// From what the user typed to the cells of a run: names resolved, axes expanded, sizes checked.
///
///   Result<std::vector<PlannedCell>> cells = plan_cells(catalogue, config);
#pragma once

#include <string>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/params.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"

namespace aisp::harness {

struct PlannedCell {
  WorkloadInfo workload;
  Params params;
};

/// Workloads that match one target: "ch07", "ch7", "ch07/transpose", "ch07:transpose",
/// "ch7.baseline_transpose", "labs/x", a pattern with * and ?, a tag as "tag:name", or "all". An empty result
/// is the caller's to report.
std::vector<const WorkloadInfo*> match_target(const std::vector<WorkloadInfo>& catalogue,
                                              const std::string& target);

/// What to tell whoever asked for a target that nothing matches.
Error no_match(const std::vector<WorkloadInfo>& catalogue, const std::string& target);

/// Nearest names to a misspelt one, best first.
std::vector<std::string> suggest(const std::string& name, const std::vector<std::string>& known);

/// "n=64" for every value that a parameter names more than once, as "n=64,128,64" does. It is planned once: a
/// cell is known by its size, and a second of the same would take the first one's place.
std::vector<std::string> repeated_values(const std::vector<std::string>& parameters);

/// Cells in the order of workload and size. `cores` drops sizes that ask for more threads than there are.
Result<std::vector<PlannedCell>> plan_cells(const std::vector<WorkloadInfo>& catalogue,
                                            const RunConfig& config, int cores);

}  // namespace aisp::harness
