// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_config.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/harness/cell_evidence.h"
#include "aisp/harness/configured.h"
#include "aisp/harness/coordinator.h"

namespace aisp::cli {
namespace {

/// The first rung has a quarter of a cell's time: three rungs, from eight contenders to one, take less than
/// two cells.
constexpr double kFirstShare = 0.25;

}  // namespace

Result<harness::TuningSearch> search_with_harness(const Arguments& arguments, const TuneSearch& search,
                                                  Progress& progress) {
  const std::string name = harness::cell_name(search.cell);
  RunConfig config = search.config;
  config.variants.clear();  // a rung measures exactly what is in its cell
  config.energy = false;    // which takes a second and more for each configuration
  const auto measure = [&](const harness::PlannedCell& cell, double seconds) {
    config.cell_seconds = seconds;
    return harness::measure_cell(
        {.cell = cell,
         .config = config,
         .ceilings = search.ceilings,
         .config_hash = harness::hash_pair(hash_of(config, arguments.config_files), ""),
         .to_tune = true,
         .progress = [&](double share, const std::string& what) {
           progress.show(share, name + " " + search.variant + ": " +
                                    std::to_string(cell.workload.variants.size() - 1) + " configurations, " +
                                    what);
         }});
  };
  return harness::search_configurations(
      {.cell = search.cell,
       .variant = search.variant,
       .measure = measure,
       .first_seconds = kFirstShare * search.config.cell_seconds,
       .stop = search.stop,
       .tell = [&](const std::string& line) { progress.note(name + " " + line); }});
}

}  // namespace aisp::cli
