// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/resume.h"

#include <algorithm>
#include <sstream>

#include "aisp/cli/planning.h"
#include "aisp/cli/run_config.h"
#include "aisp/device/cpu/topology.h"

namespace aisp::cli {
namespace {

/// A resumed run keeps its frozen configuration: whatever else was typed would have no effect.
Status nothing_else_typed(const Arguments& arguments) {
  if (arguments.positional.size() > 1) {
    return Error{ErrorCode::usage, "--resume takes one run, not '" + arguments.positional[1] + "' as well",
                 "`aisp show --runs` lists them"};
  }
  std::istringstream words(arguments.command_line);
  for (std::string word; words >> word;) {
    word = word.substr(0, word.find('='));
    std::erase(word, '\'');
    for (const Flag& flag : run_flags()) {
      if (word != "--" + flag.name && (flag.alias.empty() || word != flag.alias)) continue;
      return Error{ErrorCode::usage, word + " has no effect on a run that is resumed",
                   "leave it out, or start a new run with it"};
    }
  }
  return Ok{};
}

}  // namespace

bool complete(const CellResult& cell) { return cell.stopped != "interrupted" && !cell.variants.empty(); }

Result<RunRecord> resume(const Arguments& arguments, store::Store& results,
                         std::vector<harness::PlannedCell>& cells) {
  if (const Status fine = nothing_else_typed(arguments); !fine) return fine.error();
  Result<RunRecord> earlier =
      results.load(arguments.positional.empty() ? "latest" : arguments.positional.front());
  if (!earlier) return earlier.error();
  if (earlier->status == "finished") {
    return Error{ErrorCode::usage, "run " + earlier->id + " is finished: there is nothing to resume",
                 "`aisp replay " + earlier->id + "` repeats it"};
  }
  if (const std::string hardware = device::hardware_key(); hardware != earlier->manifest.hardware) {
    return Error{
        ErrorCode::environment,
        "run " + earlier->id + " was begun on " + earlier->manifest.hardware + ", this is " + hardware,
        "start a new run here"};
  }
  auto planned = cells_of(earlier->manifest.config);
  if (!planned) return planned.error();
  cells = *std::move(planned);
  std::erase_if(earlier->cells, [](const CellResult& cell) { return !complete(cell); });
  std::erase_if(cells, [&](const harness::PlannedCell& cell) {
    return std::ranges::any_of(earlier->cells, [&](const CellResult& done) {
      return done.workload == cell.workload.id && done.parameters == cell.params.text();
    });
  });
  return earlier;
}

}  // namespace aisp::cli
