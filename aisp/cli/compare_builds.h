// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two builds measured in alternation, for `aisp compare --build` and for whoever else must know whether the
/// new one is slower; and what a stored run of that kind says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/compare_measured.h"
#include "aisp/core/record.h"

namespace aisp::cli {

/// `arguments` are those of `aisp compare`: workloads, and the flags of a run. `builds`: old, then new.
Result<MeasuredPairs> measure_builds(const Arguments& arguments, const std::vector<std::string>& builds);

/// The new build's variant against the old one's; nothing where one of them has none or did not run it.
std::optional<ComparisonLine> build_line(const CellResult& cell, const std::string& variant,
                                         const stats::SequentialPlan& plan, double equivalence);

}  // namespace aisp::cli
