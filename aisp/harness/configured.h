// SPDX-License-Identifier: Apache-2.0
/// \file
/// Configurations (core/configuration.h) as the coordinator sees them: by their names, beside the variants
/// they are configurations of.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"

namespace aisp::harness {

/// "ch07/transpose n=2048": how RunConfig::tuned calls a cell.
std::string cell_name(const PlannedCell& cell);

/// Adds those that the run names (`--variant tiled@tile=32`) and those tuned for this size to the cell's
/// ladder. A name whose variant the workload does not have is left alone; a value that it does not declare is
/// an Error.
Status add_configurations(PlannedCell& cell, const RunConfig& config);

/// All of one variant as its workload declares them, in the order of their values; the fallbacks, which are
/// the variant itself, are not among them.
std::vector<VariantInfo> configurations_of(const VariantInfo& variant);

}  // namespace aisp::harness
