// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of `aisp tune`: what there is to do, the search at one size, the judging of what won, and what
/// is said of both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/comparison.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/ceiling.h"
#include "aisp/core/config.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/tuner.h"

namespace aisp::cli {

/// One variant at one size, and the sizes to judge it on.
struct TuneTask {
  harness::PlannedCell cell;
  std::string variant;
  std::vector<Params> held_out;
};
Result<std::vector<TuneTask>> tune_tasks(const Arguments& arguments, const RunConfig& config);

/// One size that a winner was measured at, beside the variant as declared.
struct JudgedSize {
  std::string parameters;
  bool held_out = true;                ///< it was not tuned on this size
  std::optional<ComparisonLine> line;  ///< nothing: it was not judged
  std::string why_not;                 ///< then
  std::string run;                     ///< that judged it
  bool kept = false;                   ///< it is used by `aisp run --tuned` at this size
};

/// All that is known about one variant at one size.
struct TuneOutcome {
  std::string workload, parameters, variant;
  std::string fallbacks;  ///< "tile=16"
  harness::TuningSearch search;
  std::vector<JudgedSize> judged;
  std::optional<Error> error;  ///< there was nothing to search or to judge
};

struct TuneSearch {
  const harness::PlannedCell& cell;
  std::string variant;
  RunConfig config;
  const Ceilings& ceilings;
  std::function<bool()> stop;
};
/// Nothing of it is stored as a result: the best of many looks better than it is.
Result<harness::TuningSearch> search_with_harness(const Arguments& arguments, const TuneSearch& search,
                                                  Progress& progress);

struct TuneJudge {
  const harness::PlannedCell& cell;  ///< that was tuned
  std::string variant, winner;
  RunConfig config;
  std::vector<Params> held_out;
  std::function<double()> seconds_left;  ///< 0: as long as it takes
};
/// Each size is an ordinary run, in which the winner, the variant as declared and the baseline share rounds.
std::vector<JudgedSize> judge_winner(const Arguments& arguments, const TuneJudge& judge);

/// Faster by more than the region of equivalence, and believable.
bool is_confirmed(const JudgedSize& size);

std::string tune_text(const TuneOutcome& outcome);
std::string tune_json(const std::vector<TuneOutcome>& outcomes, const std::string& hardware);
int tune_exit_code(const TuneOutcome& outcome);

}  // namespace aisp::cli
