// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_measured.h"

#include <algorithm>

#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"

namespace aisp::cli {

Result<MeasuredPairs> measure_pairs(const Arguments& arguments, const RunConfig& config,
                                    const std::vector<harness::PlannedCell>& cells, ComparisonAnswer answer,
                                    const AddLines& add_lines) {
  Result<store::Store> results = open_store(arguments, store::Access::read_write);
  if (!results) return results.error();
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> record = measuring.begin(config);
  if (!record) return record.error();
  Status measured = measuring.measure(*record, cells);
  answer.run = record->id;
  const stats::SequentialPlan plan(config.looks, config.alpha);
  for (const CellResult& cell : record->cells) {
    if (cell.stopped == "refused") continue;  // its error comes last
    const auto planned = std::ranges::find_if(cells, [&](const harness::PlannedCell& p) {
      return p.workload.id == cell.workload && p.params.text() == cell.parameters;
    });
    if (planned != cells.end()) add_lines(cell, *planned, plan, answer);
  }
  measuring.end(*record,
                answer.lines.empty() ? std::nullopt : std::optional<int>(exit_code_of(answer.lines)));
  if (!measured && answer.lines.empty()) return measured.error();
  return MeasuredPairs{std::move(answer), std::move(measured), measuring.storage_problem(),
                       measuring.out_of_time()};
}

int print_measured(const Arguments& arguments, const Result<MeasuredPairs>& pairs) {
  if (!pairs) return fail(arguments, pairs.error());
  int code = print_answer(arguments, pairs->answer);
  if (const int signal = harness::interrupted(); signal != 0) {
    warn(arguments, "interrupted: what was measured is kept as run " + pairs->answer.run);
    return 128 + signal;
  }
  if (!pairs->measured) code = worse_exit(code, fail(arguments, pairs->measured.error()));
  if (pairs->storage_problem) return fail(arguments, *pairs->storage_problem);
  return pairs->out_of_time ? worse_exit(code, kExitUnproven) : code;
}

}  // namespace aisp::cli
