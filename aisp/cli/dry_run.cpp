// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/dry_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "aisp/cli/estimate.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

using harness::PlannedCell;

constexpr double kCeilingSeconds = 6;  // measured once, before the first run on a machine

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, std::round(seconds)));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

bool has_ceilings(store::Store& history) {
  const auto stored = history.latest_ceilings(device::hardware_key());
  return stored && stored->has_value();
}

Json json_of(const PlannedCell& cell, const CellEstimate& estimate) {
  return {{"workload", cell.workload.id},
          {"parameters", cell.params.text()},
          {"needed_bytes", to_json(estimate.needed_bytes)},
          {"fits", !estimate.refused},
          {"refused", estimate.refused ? printable_utf8(estimate.refused->message) : ""},
          {"about_seconds", estimate.seconds},
          {"basis", estimate.basis}};
}

std::string text_of(const PlannedCell& cell, const CellEstimate& estimate, std::size_t widest) {
  const std::string name = fmt::format("{:<28} {:<{}}", report::visible(cell.workload.id),
                                       report::visible(cell.params.text()), widest);
  if (estimate.refused) return name + " refused: " + report::visible(estimate.refused->message) + "\n";
  return name + fmt::format(" {:>9}  about {:<7} {}\n",
                            estimate.needed_bytes ? report::format_bytes(*estimate.needed_bytes) : "?",
                            duration(estimate.seconds),
                            estimate.basis == "a guess" ? "guessed" : "as in " + estimate.basis);
}

}  // namespace

int dry_run(const Arguments& arguments, const RunConfig& config, const std::vector<PlannedCell>& cells) {
  // A store that is not there, or not readable, only means that there is no history.
  Arguments silent = arguments;
  silent.values["quiet"] = {"true"};
  Result<store::Store> history = open_store(silent, store::Access::read_only);
  const std::vector<CellEstimate> estimates = estimate_cells(cells, config, history ? &*history : nullptr);
  const bool ceilings = history && has_ceilings(*history);
  double total = ceilings ? 0 : kCeilingSeconds;
  int refused = 0, code = kExitValid;
  std::string text;
  std::size_t widest = 0;
  for (const PlannedCell& cell : cells) widest = std::max(widest, cell.params.text().size());
  Json json{{"about_seconds", 0}, {"refused", 0}, {"cells", Json::array()}};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    total += estimates[i].seconds;
    if (const auto& why = estimates[i].refused) {
      ++refused;
      code = worse_exit(code, static_cast<int>(why->code));
    }
    text += text_of(cells[i], estimates[i], widest);
    json["cells"].push_back(json_of(cells[i], estimates[i]));
  }
  if (config.budget_seconds > 0) total = std::min(total, config.budget_seconds);
  json["about_seconds"] = total;
  json["refused"] = refused;
  text += fmt::format("{} cell{}, about {}", cells.size(), cells.size() == 1 ? "" : "s", duration(total));
  if (!ceilings) text += ", with the time to measure this machine's ceilings once";
  if (refused > 0) text += fmt::format("; {} cannot be measured here", refused);
  if (!print(arguments.json() ? json_document("dry_run", json) : text + "\n"))
    return static_cast<int>(ErrorCode::io);
  return code;
}

}  // namespace aisp::cli
