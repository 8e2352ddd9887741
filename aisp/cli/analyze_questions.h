// SPDX-License-Identifier: Apache-2.0
/// \file
/// The questions of `aisp analyze`, for whoever wants an answer and not its printing. Each is defined in the
/// file of its command.
#pragma once

#include "aisp/cli/analyze_figures.h"

namespace aisp::cli {

/// Variants of one cell are ranked by its rounds, read from the store; null where there is none.
Result<Answer> ask_leaderboard(const Arguments& arguments, const FigureSource& source, store::Store* store);
Result<Answer> ask_pareto(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_tradeoffs(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_whatif(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_scaling(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_power(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_cost(const Arguments& arguments, const FigureSource& source);
Result<Answer> ask_recommendations(const Arguments& arguments, const FigureSource& source);

}  // namespace aisp::cli
