// SPDX-License-Identifier: Apache-2.0
/// \file
/// `aisp run --dry-run`: the cells, what each needs, whether it fits, and about how long it takes. Measures
/// and stores nothing.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {

/// Prints it; 4 when a cell would be refused, as the run itself would end.
int dry_run(const Arguments& arguments, const RunConfig& config,
            const std::vector<harness::PlannedCell>& cells);

}  // namespace aisp::cli
