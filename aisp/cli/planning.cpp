// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/planning.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "aisp/cli/catalogue.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/harness/cell_attempts.h"

namespace aisp::cli {
namespace {

using harness::PlannedCell;
using harness::VariantInfo;
using harness::WorkloadInfo;

bool is_plugin(const std::string& build) { return build.ends_with(".so"); }

Status usable(const std::string& build) {
  std::error_code ignored;
  const auto status = std::filesystem::status(build, ignored);
  const Error bad{ErrorCode::bad_input, "build " + build, "--build takes two aisp programs, or two plugins"};
  if (!std::filesystem::exists(status))
    return Error{bad.code, bad.message + ": there is no such file", bad.hint};
  if (!std::filesystem::is_regular_file(status))
    return Error{bad.code, bad.message + ": is not a regular file", bad.hint};
  if (!is_plugin(build) && access(build.c_str(), X_OK) != 0)
    return Error{bad.code, bad.message + ": is neither a plugin (.so) nor executable", bad.hint};
  return Ok{};
}

/// What a build says it has: its own code is asked, never this program's.
Result<std::vector<WorkloadInfo>> catalogue_of(const std::string& build, const RunConfig& config) {
  if (const Status fine = usable(build); !fine) return fine.error();
  harness::WorkerSetup setup = setup_for(build, config);
  setup.limits = harness::limits_of(config);
  setup.limits.silence_seconds = 10;
  Result<harness::WorkerProcess> worker = harness::WorkerProcess::start(setup);
  if (!worker) return worker.error();
  std::vector<WorkloadInfo> catalogue;
  const harness::Answer answer =
      worker->ask({.op = "describe"}, "catalogue",
                  [&](harness::WorkerReply& reply) { catalogue = std::move(reply.catalogue); });
  if (answer.error)
    return Error{answer.error->code, "build " + build + ": " + answer.error->message, answer.error->hint};
  if (answer.end) {
    return Error{ErrorCode::bad_input,
                 "build " + build + " " + answer.end->status + ": " + answer.end->detail,
                 "it must be an aisp program of this version, or a plugin built against it"};
  }
  // What comes with this program would be measured against itself.
  if (is_plugin(build)) std::erase_if(catalogue, [&](const WorkloadInfo& w) { return w.plugin != build; });
  return catalogue;
}

/// Both builds must have what is measured. The ladder is the old build's, with the new one's additions.
Status join_builds(std::vector<PlannedCell>& cells, const std::vector<WorkloadInfo>& newer,
                   const std::string& build) {
  for (PlannedCell& cell : cells) {
    const auto found = std::ranges::find(newer, cell.workload.id, &WorkloadInfo::id);
    if (found == newer.end()) {
      return Error{ErrorCode::bad_input, "build " + build + " has no workload '" + cell.workload.id + "'",
                   "name workloads that both builds have"};
    }
    for (const VariantInfo& variant : found->variants) {
      auto& ladder = cell.workload.variants;
      if (std::ranges::find(ladder, variant.name, &VariantInfo::name) == ladder.end())
        ladder.push_back(variant);
    }
  }
  return Ok{};
}

Result<std::vector<PlannedCell>> planned(const RunConfig& config) {
  const int cores = device::topology().cores;
  if (config.builds.size() != 2) {
    const auto catalogue = load_catalogue(config.plugins);
    if (!catalogue) return catalogue.error();
    return harness::plan_cells(*catalogue, config, cores);
  }
  const auto older = catalogue_of(config.builds[0], config);
  if (!older) return older.error();
  const auto newer = catalogue_of(config.builds[1], config);
  if (!newer) return newer.error();
  auto cells = harness::plan_cells(*older, config, cores);
  if (!cells) return cells.error();
  if (const Status joined = join_builds(*cells, *newer, config.builds[1]); !joined) return joined.error();
  return cells;
}

}  // namespace

harness::WorkerSetup setup_for(const std::string& build, const RunConfig& config) {
  harness::WorkerSetup setup{.plugins = config.plugins};
  if (is_plugin(build)) {
    setup.plugins.push_back(build);
  } else {
    setup.program = build;
  }
  return setup;
}

Result<std::vector<PlannedCell>> cells_of(RunConfig& config) {
  auto cells = planned(config);
  if (!cells || config.variants.empty()) return cells;
  for (const PlannedCell& cell : *cells) {
    const std::string& baseline = cell.workload.variants.front().name;
    if (std::ranges::find(config.variants, baseline) == config.variants.end())
      config.variants.push_back(baseline);
  }
  return cells;
}

}  // namespace aisp::cli
