// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_measured.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/harness/derive.h"
#include "aisp/harness/interrupt.h"

namespace aisp::cli {
namespace {

/// The configuration of the run that judges at one size: as `aisp compare WORKLOAD VARIANT WINNER` has it, so
/// that it is repeated and resumed without the search.
RunConfig config_at(const TuneJudge& judge, const Params& size, double seconds_left) {
  RunConfig config = judge.config;
  config.targets = {judge.cell.workload.id};
  config.variants = {judge.variant, judge.winner};
  config.parameters.clear();
  for (const auto& [axis, value] : size.entries())
    config.parameters.push_back(axis + "=" + std::to_string(value));
  config.budget_seconds = seconds_left;
  return config;
}

void add_pair(const TuneJudge& judge, const CellResult& cell, const stats::SequentialPlan& plan,
              ComparisonAnswer& answer) {
  const VariantResult *declared = cell.find(judge.variant), *tuned = cell.find(judge.winner);
  if (declared == nullptr || tuned == nullptr || !declared->skipped.empty() || !tuned->skipped.empty()) {
    answer.left_out.push_back(tuned == nullptr || tuned->skipped.empty() ? "it did not run" : tuned->skipped);
    return;
  }
  answer.lines.push_back(
      line_of(cell.workload + " " + cell.parameters, *declared, *tuned,
              harness::compare_pair(cell, *declared, *tuned, plan, judge.config.equivalence)));
}

JudgedSize judge_at(const Arguments& arguments, const TuneJudge& judge, const Params& size) {
  JudgedSize judged{.parameters = size.text(), .held_out = size != judge.cell.params};
  const double left = judge.seconds_left();
  if (harness::interrupted() != 0 || left < 0) {
    judged.why_not = harness::interrupted() != 0 ? "interrupted" : "out of time";
    return judged;
  }
  RunConfig config = config_at(judge, size, left);
  const auto cells = cells_of(config);
  if (!cells) {
    judged.why_not = cells.error().message;
    return judged;
  }
  const auto pairs = measure_pairs(
      arguments, config, *cells, {.first = judge.variant, .second = judge.winner, .lines = {}},
      [&](const CellResult& cell, const harness::PlannedCell&, const stats::SequentialPlan& plan,
          ComparisonAnswer& answer) { add_pair(judge, cell, plan, answer); });
  if (!pairs) {
    judged.why_not = pairs.error().message;
    return judged;
  }
  judged.run = pairs->answer.run;
  if (pairs->storage_problem) {  // a choice without its proof is none
    judged.why_not = pairs->storage_problem->message;
    return judged;
  }
  if (!pairs->answer.lines.empty() && harness::interrupted() == 0) {
    judged.line = pairs->answer.lines.front();
  } else if (!pairs->answer.left_out.empty()) {
    judged.why_not = pairs->answer.left_out.front();
  } else {
    judged.why_not = harness::interrupted() != 0 ? "interrupted" : "nothing was measured";
  }
  return judged;
}

}  // namespace

std::vector<JudgedSize> judge_winner(const Arguments& arguments, const TuneJudge& judge) {
  std::vector<JudgedSize> judged{judge_at(arguments, judge, judge.cell.params)};
  // What other inputs do not confirm at its own size has won by luck, whatever it does elsewhere.
  if (!is_confirmed(judged.front())) return judged;
  for (const Params& size : judge.held_out) judged.push_back(judge_at(arguments, judge, size));
  return judged;
}

bool is_confirmed(const JudgedSize& size) {
  return size.line && size.line->validity == Validity::valid && size.line->ratio &&
         size.line->ratio->outcome == Outcome::faster && !size.line->ratio->small;
}

}  // namespace aisp::cli
