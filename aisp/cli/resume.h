// SPDX-License-Identifier: Apache-2.0
/// \file
/// `aisp run --resume`: takes up a run that was interrupted or ran out of time. Its finished cells stay, the
/// others are measured with the configuration it was begun with.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"
#include "aisp/store/store.h"

namespace aisp::cli {

/// Measured to its end, whatever the verdict.
bool complete(const CellResult& cell);

/// Whether what was typed makes sense with --resume, as far as can be said without the run.
Status check_resume(const Arguments& arguments);

/// The run without its unfinished cells; `cells` are those to be measured.
Result<RunRecord> resume(const Arguments& arguments, store::Store& results,
                         std::vector<harness::PlannedCell>& cells);

}  // namespace aisp::cli
