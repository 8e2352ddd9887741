// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

struct Difference {
  std::string what, then, now;
};

std::string shown(const std::optional<std::string>& value) { return value ? *value : "unknown"; }

std::vector<Difference> differing(const std::vector<Fact>& then, const std::vector<Fact>& now) {
  std::map<std::string, std::string> before, after;
  for (const Fact& fact : then) before[fact.name] = shown(fact.value);
  for (const Fact& fact : now) after[fact.name] = shown(fact.value);
  std::vector<Difference> differences;
  for (const auto& [name, value] : before) {
    const std::string other = after.contains(name) ? after[name] : "not recorded";
    if (value != other) differences.push_back({name, value, other});
  }
  for (const auto& [name, value] : after) {
    if (!before.contains(name)) differences.push_back({name, "not recorded", value});
  }
  return differences;
}

/// Facts of the two manifests that are not the same: the first suspects when a number changed.
std::vector<Difference> differing_facts(const Manifest& then, const Manifest& now) {
  std::vector<Difference> differences;
  const auto compare = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) differences.push_back({what, a, b});
  };
  compare("aisp", then.version, now.version);
  compare("method", std::to_string(then.method), std::to_string(now.method));
  compare("hardware", then.hardware, now.hardware);
  compare("configuration", then.config_hash, now.config_hash);
  for (Difference& difference : differing(then.facts, now.facts))
    differences.push_back(std::move(difference));
  return differences;
}

/// Libraries that were loaded in the workers: the measured code itself.
std::vector<Difference> differing_libraries(const RunRecord& then, const RunRecord& now) {
  const auto all = [](const RunRecord& run) {
    std::vector<Fact> libraries;
    for (const CellResult& cell : run.cells) {
      for (const Fact& library : cell.libraries)
        libraries.push_back({"build id of " + library.name, library.value});
    }
    return libraries;
  };
  // A run of an older program did not record them.
  if (all(then).empty()) return {};
  return differing(all(then), all(now));
}

/// A verdict changed, or the two intervals of a speed-up do not even overlap. Of cells that a run cut short
/// did not come to, nothing is known.
std::vector<Difference> differing_results(const RunRecord& then, const RunRecord& now) {
  std::vector<Difference> differences;
  for (const CellResult& a : then.cells) {
    const auto found = std::ranges::find_if(now.cells, [&](const CellResult& c) {
      return c.workload == a.workload && c.parameters == a.parameters;
    });
    const std::string cell = a.workload + " " + a.parameters;
    if (found == now.cells.end()) {
      if (now.status == "finished") differences.push_back({cell, "measured", "not measured"});
      continue;
    }
    for (const VariantResult& v : a.variants) {
      const VariantResult* w = found->find(v.name);
      if (w == nullptr) {
        differences.push_back({cell + " " + v.name, "measured", "not there"});
        continue;
      }
      if (v.validity != w->validity) {
        differences.push_back(
            {cell + " " + v.name, std::string(name_of(v.validity)), std::string(name_of(w->validity))});
      } else if (v.speedup && w->speedup &&
                 (v.speedup->low > w->speedup->high || w->speedup->low > v.speedup->high)) {
        differences.push_back(
            {cell + " " + v.name, report::format_ratio(*v.speedup), report::format_ratio(*w->speedup)});
      }
    }
  }
  return differences;
}

Json json_of(const std::vector<Difference>& differences) {
  Json array = Json::array();
  for (const Difference& d : differences)
    array.push_back({{"what", d.what}, {"then", d.then}, {"now", d.now}});
  return array;
}

std::string text_of(const char* title, const std::vector<Difference>& differences) {
  if (differences.empty()) return std::string(title) + ": nothing differs\n";
  std::string text = std::string(title) + ":\n";
  for (const Difference& d : differences) {
    text += fmt::format("  {}: {} -> {}\n", report::visible(d.what), report::visible(d.then),
                        report::visible(d.now));
  }
  return text;
}

int run_replay(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_write, Purpose::what_is_there);
  if (!results) return fail(arguments, results.error());
  const Result<RunRecord> then =
      results->load(arguments.positional.empty() ? "latest" : arguments.positional.front());
  if (!then) return fail(arguments, then.error());
  RunConfig config = then->manifest.config;
  const auto cells = cells_of(config);
  if (!cells) return fail(arguments, cells.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> now = measuring.begin(config);
  if (!now) return fail(arguments, now.error());
  const Status measured = measuring.measure(*now, *cells);
  measuring.end(*now);
  auto facts = differing_facts(then->manifest, now->manifest);
  for (Difference& difference : differing_libraries(*then, *now)) facts.push_back(std::move(difference));
  const auto outcomes = differing_results(*then, *now);
  const Json json{
      {"then", then->id}, {"now", now->id}, {"facts", json_of(facts)}, {"results", json_of(outcomes)}};
  const std::string text = fmt::format("run {} repeated as {}\n", then->id, now->id) +
                           text_of("machine and program", facts) + text_of("results", outcomes);
  const bool written = print(arguments.json() ? json_document("replay", json) : text);
  int code = outcomes.empty() ? kExitValid : kExitInvalid;
  if (!measured) code = worse_exit(code, fail(arguments, measured.error()));
  if (measuring.storage_problem()) return fail(arguments, *measuring.storage_problem());
  if (!written) return static_cast<int>(ErrorCode::io);
  if (const int signal = harness::interrupted(); signal != 0) return 128 + signal;
  return measuring.out_of_time() ? worse_exit(code, kExitUnproven) : code;
}

}  // namespace

const Command kReplay{
    .name = "replay",
    .summary = "Repeats a stored run from its manifest and says what differs",
    .positional = "[RUN]",
    .flags = {},
    .details =
        "exit codes: 1 when a verdict changed or the intervals of a speed-up no longer overlap, 4 when "
        "a cell could not be measured or the time ran out",
    .run = run_replay};

}  // namespace aisp::cli
