// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_config.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/build_pair.h"
#include "aisp/harness/figures.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"
#include "aisp/stats/compare.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

/// One line of the answer, whatever was compared.
struct Line {
  std::string what;
  RatioEstimate ratio;
  std::string note;
};

std::string words(const RatioEstimate& r) {
  if (r.outcome == Outcome::inconclusive) return "cannot tell";
  return std::string(name_of(r.outcome)) + (r.small ? " (small)" : "");
}

int answer(const Arguments& arguments, const std::string& first, const std::string& second,
           const std::vector<Line>& lines) {
  std::string text = fmt::format("speed-up of {} over {}\n", report::visible(second), report::visible(first));
  Json json{{"schema", 1}, {"first", first}, {"second", second}, {"comparisons", Json::array()}};
  for (const Line& line : lines) {
    text += fmt::format("  {:<44} {:<24} {}{}\n", line.what, report::format_ratio(line.ratio),
                        words(line.ratio), line.note.empty() ? "" : "; " + line.note);
    json["comparisons"].push_back({{"what", line.what}, {"ratio", to_json(line.ratio)}, {"note", line.note}});
  }
  if (lines.empty())
    return fail(arguments, {ErrorCode::bad_input, "the two have nothing in common to compare", ""});
  if (!print(arguments.json() ? json.dump(2) + "\n" : text)) return static_cast<int>(ErrorCode::io);
  if (const int signal = harness::interrupted(); signal != 0) return 128 + signal;
  const auto any = [&](Outcome outcome) {
    return std::ranges::any_of(lines,
                               [&](const Line& l) { return l.ratio.outcome == outcome && !l.ratio.small; });
  };
  if (any(Outcome::slower)) return kExitInvalid;
  return any(Outcome::inconclusive) ? kExitInconclusive : kExitValid;
}

/// Stored runs were not measured together, so their intervals are combined at their worst: wide, and honest.
RatioEstimate unpaired(const std::string& against, const Estimate& first, const Estimate& second,
                       double delta) {
  RatioEstimate r{.against = against,
                  .ratio = first.value / second.value,
                  .low = first.low / second.high,
                  .high = first.high / second.low,
                  .confidence = 0.9,
                  .method = "unpaired"};
  const stats::Decision decision = stats::decide(r.low, r.high, delta);
  r.outcome = static_cast<Outcome>(decision.outcome);
  r.small = decision.small;
  return r;
}

int compare_runs(const Arguments& arguments, store::Store& results, const RunRecord& a, const RunRecord& b) {
  static_cast<void>(results);
  if (a.manifest.hardware != b.manifest.hardware && !arguments.has("across")) {
    return fail(arguments, {ErrorCode::bad_input,
                            "run " + a.id + " is from " + a.manifest.hardware + ", run " + b.id + " from " +
                                b.manifest.hardware,
                            "--across compares machines, and labels the answer so"});
  }
  std::vector<Line> lines;
  for (const CellResult& cell : a.cells) {
    for (const CellResult& other : b.cells) {
      if (cell.workload != other.workload || cell.parameters != other.parameters) continue;
      for (const VariantResult& v : cell.variants) {
        const VariantResult* w = other.find(v.name);
        if (w == nullptr || !v.time_ns || !w->time_ns) continue;
        std::string note = "unpaired";
        if (a.manifest.hardware != b.manifest.hardware) note += ", different machines";
        if (v.validity == Validity::invalid || w->validity == Validity::invalid)
          note += ", one side is invalid";
        lines.push_back({cell.workload + " " + cell.parameters + " " + v.name,
                         unpaired(a.id, *v.time_ns, *w->time_ns, a.manifest.config.equivalence), note});
      }
    }
  }
  return answer(arguments, a.id, b.id, lines);
}

/// Two variants of a workload, measured now in the same rounds.
int compare_variants(const Arguments& arguments, const std::string& first, const std::string& second) {
  Arguments narrowed = arguments;
  narrowed.positional = {arguments.positional.front()};
  narrowed.values["variant"] = {first, second};
  Result<RunConfig> config = run_config_of(narrowed);
  if (!config) return fail(arguments, config.error());
  auto cells = cells_of(*config);
  if (!cells) return fail(arguments, cells.error());
  for (const harness::PlannedCell& cell : *cells) {
    for (const std::string& name : {first, second}) {
      if (std::ranges::find(cell.workload.variants, name, &harness::VariantInfo::name) !=
          cell.workload.variants.end())
        continue;
      std::vector<std::string> known;
      for (const auto& v : cell.workload.variants) known.push_back(v.name);
      const auto near = harness::suggest(name, known);
      return fail(arguments, {ErrorCode::usage, cell.workload.id + " has no variant '" + name + "'",
                              near.empty() ? "`aisp list " + cell.workload.id + "` shows them"
                                           : "did you mean '" + near.front() + "'?"});
    }
  }
  Result<store::Store> results = open_store(arguments, store::Access::read_write);
  if (!results) return fail(arguments, results.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  Measuring measuring(arguments, *results, progress);
  Result<RunRecord> record = measuring.begin(*config);
  if (!record) return fail(arguments, record.error());
  const Status measured = measuring.measure(*record, *cells);
  measuring.end(*record);
  if (!measured) return fail(arguments, measured.error());
  std::vector<Line> lines;
  const stats::SequentialPlan plan(config->looks, config->alpha);
  for (const CellResult& cell : record->cells) {
    const VariantResult* a = cell.find(first);
    const VariantResult* b = cell.find(second);
    if (a == nullptr || b == nullptr || a->samples.size() == 0 || b->samples.size() == 0) continue;
    const stats::Comparison c = stats::compare(
        {harness::log_ratios(harness::costs(cell, a->samples), harness::costs(cell, b->samples))}, plan,
        cell.look, config->equivalence);
    const std::string worst = std::string(name_of(std::max(a->validity, b->validity)));
    lines.push_back({cell.workload + " " + cell.parameters,
                     {.against = first,
                      .ratio = c.ratio,
                      .low = c.low,
                      .high = c.high,
                      .confidence = c.confidence,
                      .rounds = c.rounds,
                      .method = c.method,
                      .outcome = static_cast<Outcome>(c.decision.outcome),
                      .small = c.decision.small},
                     worst == "valid" ? "" : worst});
  }
  return answer(arguments, first, second, lines);
}

harness::WorkerSetup setup_for(const std::string& build, const RunConfig& config) {
  harness::WorkerSetup setup{.plugins = config.plugins,
                             .limits = {.silence_seconds = config.timeout_seconds}};
  if (build.size() > 3 && build.ends_with(".so")) {
    setup.plugins.push_back(build);
  } else {
    setup.program = build;
  }
  return setup;
}

/// Two builds of aisp or of a plugin; the first says which workloads there are.
int run_builds(const Arguments& arguments) {
  const std::vector<std::string> builds = arguments.list("build");
  if (builds.size() != 2)
    return fail(arguments, {ErrorCode::usage, "--build is needed twice", "--build OLD --build NEW"});
  Result<RunConfig> config = run_config_of(arguments);
  if (!config) return fail(arguments, config.error());
  RunConfig described = *config;
  if (builds[0].ends_with(".so")) described.plugins.push_back(builds[0]);
  const auto cells = cells_of(described);
  if (!cells) return fail(arguments, cells.error());
  harness::install_interrupt_handlers();
  Progress progress(arguments);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < cells->size() && harness::interrupted() == 0; ++i) {
    const harness::PlannedCell& cell = (*cells)[i];
    const auto compared = harness::compare_builds(
        cell, *config, setup_for(builds[0], *config), setup_for(builds[1], *config), [&](double share) {
          progress.show((static_cast<double>(i) + share) / static_cast<double>(cells->size()),
                        cell.workload.id + " " + cell.params.text());
        });
    if (!compared) return fail(arguments, compared.error());
    for (const harness::BuildComparison& c : *compared) {
      lines.push_back({c.workload + " " + c.parameters + " " + c.variant, c.ratio, ""});
    }
  }
  progress.clear();
  return answer(arguments, builds[0], builds[1], lines);
}

int run(const Arguments& arguments) {
  if (arguments.has("build")) return run_builds(arguments);
  if (arguments.positional.size() == 3)
    return compare_variants(arguments, arguments.positional[1], arguments.positional[2]);
  if (arguments.positional.size() != 2) {
    return fail(arguments, {ErrorCode::usage, "name two runs, or a workload and two of its variants",
                            "`aisp compare --help` shows the forms"});
  }
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return fail(arguments, results.error());
  const Result<RunRecord> a = results->load(arguments.positional[0]);
  if (!a) return fail(arguments, a.error());
  const Result<RunRecord> b = results->load(arguments.positional[1]);
  if (!b) return fail(arguments, b.error());
  return compare_runs(arguments, *results, *a, *b);
}

std::vector<Flag> flags() {
  std::vector<Flag> all = run_flags();
  all.push_back({.name = "build",
                 .kind = FlagKind::list,
                 .help = "pair two builds or plugins live; give it twice",
                 .value = "PROGRAM|PLUGIN"});
  all.push_back({.name = "across", .kind = FlagKind::toggle, .help = "compare runs of different machines"});
  return all;
}

}  // namespace

const Command kCompare{
    .name = "compare",
    .summary = "Compares two variants, two stored runs or two builds; says when it cannot tell",
    .positional = "RUN RUN | WORKLOAD VARIANT VARIANT | WORKLOAD...",
    .flags = flags(),
    .details =
        "aisp compare ch09/softmax scalar avx2          measured now, in the same rounds\n"
        "aisp compare 20261115-1423 latest              stored runs, unpaired\n"
        "aisp compare ch09 --build ./aisp-old --build ./aisp-new\n\n"
        "exit codes: 0 faster or equivalent, 1 slower, 9 cannot tell",
    .run = run};

}  // namespace aisp::cli
