// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/resume.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "aisp/cli/hardware.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/run_config.h"
#include "aisp/report/format.h"
#include "aisp/store/in_progress.h"

namespace aisp::cli {
namespace {

/// A run has its own; what it is says whether the one that was typed would have mattered.
constexpr const char* kTimeBudget = "--time-budget";

/// A resumed run keeps its frozen configuration: whatever else was typed would have no effect.
std::optional<std::string> flag_without_effect(const Arguments& arguments) {
  std::istringstream words(arguments.command_line);
  for (std::string word; words >> word;) {
    word = word.substr(0, word.find('='));
    std::erase(word, '\'');
    if (word == "--combinations") return word;
    for (const Flag& flag : run_flags()) {
      if (word != "--" + flag.name && (flag.alias.empty() || word != flag.alias)) continue;
      return word;
    }
  }
  return std::nullopt;
}

Error no_effect(const std::string& flag, const std::string& why) {
  return {ErrorCode::usage, flag + " has no effect on a run that is resumed" + why,
          "leave it out, or start a new run with it"};
}

std::string budget_text(double seconds) {
  return seconds > 0 ? fmt::format("its own time budget counts, in full for what is left: {} s",
                                   report::format_number(seconds))
                     : "it was begun without a time budget and has none";
}

/// A budget that comes from a variable or a file is not typed, and is not in effect either.
void tell_budget(const Arguments& arguments, const RunRecord& run) {
  const double own = run.manifest.config.budget_seconds, asked = arguments.number("time-budget");
  if (own <= 0 && asked <= 0) return;
  const std::string ignored =
      asked > 0 && asked != own
          ? fmt::format("; the {} s of AISP_TIME_BUDGET or aisp.toml do not", report::format_number(asked))
          : "";
  warn(arguments, "run " + run.id + ": " + budget_text(own) + ignored);
}

/// Not the latest of all: that may be finished, and its fellow before it is what was left undone. A run that
/// is being measured is only taken, for the error that names it, where no other is left.
Result<std::string> latest_unfinished(store::Store& results) {
  std::string running;
  store::RunQuery query;
  while (true) {
    const auto runs = results.list(query);
    if (!runs) return runs.error();
    for (const store::RunSummary& run : *runs) {
      if (run.status != "finished" && run.status != store::kRunning) return run.id;
      if (run.status == store::kRunning && running.empty()) running = run.id;
    }
    if (runs->size() < query.limit) return running;
    query.before = runs->back().id;
  }
}

Result<RunRecord> run_to_resume(const Arguments& arguments, store::Store& results) {
  if (!arguments.positional.empty()) return results.load(arguments.positional.front());
  const Result<std::string> id = latest_unfinished(results);
  if (!id) return id.error();
  if (!id->empty()) return results.load(*id);
  return Error{ErrorCode::usage, "no run in this store was interrupted: there is nothing to resume",
               "`aisp show --runs` lists them"};
}

/// What to do instead of resuming a run that is finished.
std::string instead_of(const std::string& finished, store::Store& results) {
  const Result<std::string> other = latest_unfinished(results);
  return "`aisp replay " + finished + "` repeats it" +
         (other && !other->empty() ? "; the latest interrupted run is " + *other : "");
}

}  // namespace

bool complete(const CellResult& cell) { return cell.stopped != "interrupted" && !cell.variants.empty(); }

Status check_resume(const Arguments& arguments) {
  if (arguments.positional.size() > 1) {
    return Error{ErrorCode::usage, "--resume takes one run, not '" + arguments.positional[1] + "' as well",
                 "`aisp show --runs` lists them"};
  }
  const auto flag = flag_without_effect(arguments);
  return flag && *flag != kTimeBudget ? Status(no_effect(*flag, "")) : Ok{};
}

Result<RunRecord> resume(const Arguments& arguments, store::Store& results,
                         std::vector<harness::PlannedCell>& cells) {
  Result<RunRecord> earlier = run_to_resume(arguments, results);
  if (const auto flag = flag_without_effect(arguments)) {
    return no_effect(*flag, earlier ? ": " + budget_text(earlier->manifest.config.budget_seconds) : "");
  }
  if (!earlier) return earlier.error();
  if (earlier->status == "finished") {
    return Error{ErrorCode::usage, "run " + earlier->id + " is finished: there is nothing to resume",
                 instead_of(earlier->id, results)};
  }
  const Result<std::string> hardware = hardware_of(earlier->manifest.config.device);
  if (!hardware) return hardware.error();
  if (*hardware != earlier->manifest.hardware) {
    return Error{
        ErrorCode::environment,
        "run " + earlier->id + " was begun on " + earlier->manifest.hardware + ", this is " + *hardware,
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
  tell_budget(arguments, *earlier);
  return earlier;
}

}  // namespace aisp::cli
