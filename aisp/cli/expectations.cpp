// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/expectations.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/expectations_table.h"
#include "aisp/cli/expected_lines.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/plan.h"

namespace aisp::cli {
namespace {

using report::Standing;

/// What is committed may be about workloads that this build does not have, such as those for a GPU.
std::vector<harness::WorkloadInfo> with_expected(std::vector<harness::WorkloadInfo> catalogue,
                                                 const std::vector<ExpectedLine>& lines) {
  for (const ExpectedLine& line : lines) {
    const auto known = [&](const harness::WorkloadInfo& w) { return w.id == line.expected.workload; };
    if (std::ranges::none_of(catalogue, known)) {
      catalogue.emplace_back();
      catalogue.back().id = line.expected.workload;
    }
  }
  return catalogue;
}

/// Leaves the workloads asked for.
Status choose(const std::vector<std::string>& targets, const std::vector<harness::WorkloadInfo>& catalogue,
              std::vector<ExpectedLine>& lines) {
  if (targets.empty()) return Ok{};
  std::vector<std::string> wanted;
  for (const std::string& target : targets) {
    const auto matches = harness::match_target(catalogue, target);
    if (matches.empty()) return harness::no_match(catalogue, target);
    for (const harness::WorkloadInfo* each : matches) wanted.push_back(each->id);
  }
  std::erase_if(lines, [&](const ExpectedLine& line) {
    return std::ranges::find(wanted, line.expected.workload) == wanted.end();
  });
  return Ok{};
}

std::string json_text(const std::vector<ExpectedLine>& lines, const std::string& hardware,
                      double min_speedup) {
  Json rows = Json::array();
  for (const ExpectedLine& line : lines) {
    Json row = to_json(line.expected);
    row["date"] = line.date;
    row["here"] = to_json(line.now);
    row["run"] = printable_utf8(line.run);
    row["standing"] = name_of(line.standing);
    row["below_minimum"] = line.below;
    rows.push_back(row);
  }
  const ExpectationCounts counts = count(lines);
  return json_document("expectations", {{"hardware", printable_utf8(hardware)},
                                        {"min_speedup", min_speedup},
                                        {"other_day", report::kOtherDay},
                                        {"counts",
                                         {{"committed", counts.committed},
                                          {"worse", counts.worse},
                                          {"below_minimum", counts.below},
                                          {"unproven", counts.unproven},
                                          {"not_run", counts.not_run},
                                          {"not_measured", counts.not_measured}}},
                                        {"rows", rows}});
}

/// What to do where nothing is committed for the hardware of this machine, or it has no such device.
std::string other_hardware(const std::vector<report::Expectations>& all) {
  std::set<std::string> known;
  for (const report::Expectations& each : all) known.insert(each.hardware);
  const std::string own =
      "`aisp run all`, then `aisp export --format expectations`, make them for this machine";
  return fmt::format("--hardware takes a part of the name of those there are: {}; {}", fmt::join(known, "; "),
                     own);
}

/// The hardware to compare, as it was committed: what --hardware names, or what --device is here.
Result<std::string> asked_hardware(const Arguments& arguments, const std::vector<report::Expectations>& all) {
  if (arguments.has("hardware")) return hardware_named(all, arguments.text("hardware"));
  const std::string device = arguments.text("device");
  const auto instead = [&](Error error) {
    if (error.code == ErrorCode::environment || error.code == ErrorCode::bad_input)
      error.hint = other_hardware(all);
    return error;
  };
  if (const Status known = check_device(device); !known) return instead(known.error());
  const Result<std::string> here = hardware_of(device);
  if (!here) return instead(here.error());
  const Result<std::string> hardware = hardware_named(all, *here);
  return hardware ? hardware : instead(hardware.error());
}

int run_expectations(const Arguments& arguments) {
  const Result<std::string> folder =
      arguments.has("from") ? Result<std::string>(arguments.text("from")) : committed_results();
  if (!folder) return fail(arguments, folder.error());
  const auto all = read_expectations(*folder);
  if (!all) return fail(arguments, all.error());
  const Result<std::string> hardware = asked_hardware(arguments, *all);
  if (!hardware) return fail(arguments, hardware.error());
  Result<std::optional<store::Store>> own = open_store_if_any(arguments);
  if (!own) return fail(arguments, own.error());
  const Result<std::vector<harness::WorkloadInfo>> catalogue = load_catalogue(arguments.list("plugin"));
  if (!catalogue) return fail(arguments, catalogue.error());

  const double min_speedup = arguments.number("min-speedup");
  auto expected = expected_lines(*all, *hardware, own->has_value() ? &**own : nullptr, min_speedup);
  if (!expected) return fail(arguments, expected.error());
  std::vector<ExpectedLine> lines = *std::move(expected);
  const auto missing = unmeasured_lines(*catalogue, lines);
  lines.insert(lines.end(), missing.begin(), missing.end());
  if (const Status chosen = choose(arguments.positional, with_expected(*catalogue, lines), lines); !chosen)
    return fail(arguments, chosen.error());
  std::erase_if(lines, [&](const ExpectedLine& line) {
    const bool rung = !line.expected.best && line.standing != Standing::not_measured;
    const bool other_goal = arguments.has("goal") && name_of(line.expected.goal) != arguments.text("goal");
    return other_goal || (rung && !arguments.has("ladder"));
  });
  std::ranges::stable_sort(lines, [](const ExpectedLine& a, const ExpectedLine& b) {
    if (a.expected.workload != b.expected.workload) return a.expected.workload < b.expected.workload;
    return size_before(a.expected.parameters, b.expected.parameters);
  });
  const std::string text =
      arguments.json()
          ? json_text(lines, *hardware, min_speedup)
          : expectations_table(
                lines, *hardware,
                {.min_speedup = min_speedup, .width = terminal_width(), .color = use_color(arguments)});
  if (!print(text)) return static_cast<int>(ErrorCode::io);
  const ExpectationCounts counts = count(lines);
  const int doubtful = counts.below + counts.unproven + counts.not_run + counts.not_measured;
  return counts.worse > 0 || (arguments.has("strict") && doubtful > 0) ? kExitInvalid : kExitValid;
}

}  // namespace

const Command kExpectations{
    .name = "expectations",
    .summary = "Compares results with those committed for the same hardware",
    .positional = "[WORKLOAD...]",
    .flags = {{.name = "hardware",
               .kind = FlagKind::text,
               .help = "a part of the hardware's name, such as h200; default: what --device is here",
               .value = "NAME"},
              {.name = "device",
               .kind = FlagKind::text,
               .help = "of this machine, such as cuda:0; without --hardware",
               .value = "DEVICE",
               .fallback = "cpu"},
              {.name = "min-speedup",
               .kind = FlagKind::real,
               .help = "tell of best variants whose interval begins below this",
               .value = "RATIO",
               .fallback = "1.05",
               .low = 0,
               .high = 1e9},
              {.name = "goal",
               .kind = FlagKind::choice,
               .help = "only with this goal",
               .value = "GOAL",
               .choices = {"speed", "latency", "throughput", "memory"}},
              {.name = "from",
               .kind = FlagKind::text,
               .help = "folder with the committed results [results/, here or in a folder above]",
               .value = "FOLDER"},
              {.name = "ladder",
               .kind = FlagKind::toggle,
               .help = "every variant, not only the best of each cell"},
              {.name = "strict",
               .kind = FlagKind::toggle,
               .help =
                   "exit with 1 also for what is below the minimum, not valid, unproven, without an interval "
                   "or not run here, and for sizes that nobody committed"},
              plugin_flag()},
    .details =
        "Reads every expectations.json under the folder, as `aisp export --format expectations` writes "
        "them;\n"
        "a later one takes the place of an earlier one. Ratios to the baseline of the same run are "
        "compared,\n"
        "never times of different days. Of each variant the latest valid result in the store counts, "
        "whatever\n"
        "its run; one that a guard has rejected since then is worse. Where none is valid, the latest proves\n"
        "nothing: it may be worse, and stands \"unproven here\" otherwise.\n\n"
        "Exit code 1: something is worse than expected. What was not run here, or is unproven, is counted "
        "and\n"
        "ends with 0; with --strict it ends with 1.\n\n"
        "aisp expectations --hardware h200 --min-speedup 1.05",
    .run = run_expectations};

}  // namespace aisp::cli
