// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_measured.h"

#include <algorithm>

#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"

namespace aisp::cli {

int compare_measured(const Arguments& arguments, const RunConfig& config,
                     const std::vector<harness::PlannedCell>& cells, ComparisonAnswer answer,
                     const AddLines& add_lines) {
  Result<store::Store> results = open_store(arguments, store::Access::read_write);
  if (!results) return fail(arguments, results.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> record = measuring.begin(config);
  if (!record) return fail(arguments, record.error());
  const Status measured = measuring.measure(*record, cells);
  measuring.end(*record);
  answer.run = record->id;
  const stats::SequentialPlan plan(config.looks, config.alpha);
  for (const CellResult& cell : record->cells) {
    if (cell.stopped == "refused") continue;  // its error comes last
    const auto planned = std::ranges::find_if(cells, [&](const harness::PlannedCell& p) {
      return p.workload.id == cell.workload && p.params.text() == cell.parameters;
    });
    if (planned != cells.end()) add_lines(cell, *planned, plan, answer);
  }
  if (!measured && answer.lines.empty()) return fail(arguments, measured.error());
  int code = print_answer(arguments, answer);
  if (const int signal = harness::interrupted(); signal != 0) {
    warn(arguments, "interrupted: what was measured is kept as run " + record->id);
    return 128 + signal;
  }
  if (!measured) code = worse_exit(code, fail(arguments, measured.error()));
  if (measuring.storage_problem()) return fail(arguments, *measuring.storage_problem());
  return measuring.out_of_time() ? worse_exit(code, kExitUnproven) : code;
}

}  // namespace aisp::cli
