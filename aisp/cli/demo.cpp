// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/demo.h"

#include <algorithm>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/table.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

/// Long enough for every guard to have its evidence, short enough to be watched.
RunConfig quick_look(const std::string& tag, const std::vector<std::string>& plugins) {
  RunConfig config;
  config.targets = {"tag:" + tag};
  config.plugins = plugins;
  config.suite = "quick";
  config.looks = {24};
  config.cell_seconds = 1;
  config.timeout_seconds = 10;
  return config;
}

bool rejected_by(const VariantResult& variant, const Guard& guard) {
  return std::ranges::any_of(variant.findings, [&](const Finding& finding) {
    return finding.guard == guard.id && finding.level == Level::reject;
  });
}

}  // namespace

int demonstrate(const Arguments& arguments, const Guard& guard) {
  const std::string tag = "attack:" + std::string(guard.id);
  RunConfig config = quick_look(tag, arguments.list("plugin"));
  const auto catalogue = load_catalogue(config.plugins);
  if (!catalogue) return fail(arguments, catalogue.error());
  const auto tagged = [&](const harness::WorkloadInfo& workload) {
    return std::ranges::find(workload.tags, tag) != workload.tags.end();
  };
  if (std::ranges::none_of(*catalogue, tagged)) {
    return fail(arguments, {ErrorCode::environment,
                            "no attack on " + std::string(guard.id) + " is shipped with this program",
                            "--plugin FILE may have one: a workload with the tag " + tag});
  }
  const auto cells = cells_of(config);
  if (!cells) return fail(arguments, cells.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  RunRecord run{.status = "finished"};
  run.manifest.config = config;
  const Ceilings none;
  Json caught = Json::array();
  for (std::size_t i = 0; i < cells->size() && harness::interrupted() == 0; ++i) {
    progress.show(static_cast<double>(i) / static_cast<double>(cells->size()), (*cells)[i].workload.id);
    Result<CellResult> cell = harness::measure_cell(
        {.cell = (*cells)[i], .config = config, .ceilings = none, .config_hash = "demo"});
    if (!cell) return fail(arguments, cell.error());
    for (const VariantResult& variant : cell->variants) {
      if (rejected_by(variant, guard)) caught.push_back(cell->workload + " " + variant.name);
    }
    run.cells.push_back(*std::move(cell));
  }
  progress.clear();
  if (const int signal = harness::interrupted(); signal != 0) return 128 + signal;
  const std::string verdict = caught.empty() ? "passed every attack: it did not do its work"
                                             : "rejected " + caught.front().get<std::string>();
  std::string text =
      arguments.json()
          ? json_document("demo", {{"guard", guard.id}, {"caught", caught}})
          : report::render_table(run,
                                 {.color = use_color(arguments), .width = terminal_width(), .ladder = true}) +
                "\n" + std::string(guard.id) + " " + verdict + "\n";
  if (!print(text)) return static_cast<int>(ErrorCode::io);
  return caught.empty() ? kExitInvalid : kExitValid;
}

}  // namespace aisp::cli
