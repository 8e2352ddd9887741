// SPDX-License-Identifier: Apache-2.0
/// \file
/// The question of `aisp stacking`, for whoever wants the answer and not its printing. Unlike the others it
/// is answered from raw rounds, so it needs whole runs besides the figures that say where they are.
#pragma once

#include <functional>
#include <string>

#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/command.h"
#include "aisp/core/record.h"

namespace aisp::cli {

extern const Command kStacking;

using RunSource = std::function<Result<RunRecord>(const std::string& run)>;
Result<Answer> ask_stacking(const Arguments& arguments, const FigureSource& source, const RunSource& runs);

}  // namespace aisp::cli
