// SPDX-License-Identifier: Apache-2.0
/// \file
/// The three things `aisp compare` compares; each form has a file of its own. Each prints its answer and
/// returns the exit code.
#pragma once

#include "aisp/cli/command.h"
#include "aisp/cli/comparison.h"
#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Two stored runs: not measured together, so their intervals are combined at their worst.
int compare_runs(const Arguments& arguments);
Result<ComparisonAnswer> compare_records(const RunRecord& a, const RunRecord& b, bool across);
/// Two variants of a workload, measured now in the same rounds.
int compare_variants(const Arguments& arguments);
/// Two builds of aisp or of a plugin, measured now in alternation.
int compare_builds(const Arguments& arguments);

}  // namespace aisp::cli
