// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/analyze_stacking.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "aisp/analysis/stacking.h"
#include "aisp/cli/catalogue.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_combinations.h"
#include "aisp/core/combinations.h"
#include "aisp/harness/figures.h"
#include "aisp/harness/plan.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Interaction;
using analysis::Marginal;
using analysis::MeasuredSubset;
using analysis::Stacking;
using analysis::SubsetGain;

/// Which workloads the question is about: names of what is stored and of what could be.
struct Subject {
  std::set<std::string> names;    ///< empty: any
  std::vector<std::string> able;  ///< of them, or of all, those that declare techniques
  std::string elsewhere;          ///< one of them that is stored, and that only a plugin has
};

Result<Subject> subject_of(const Arguments& arguments, const std::vector<Figure>& figures) {
  const auto built_in = load_catalogue({});
  if (!built_in) return built_in.error();
  std::vector<harness::WorkloadInfo> known = *built_in;
  for (const Figure& figure : figures) {
    if (std::ranges::find(known, figure.workload, &harness::WorkloadInfo::id) == known.end())
      known.push_back({.id = figure.workload});
  }
  Subject subject;
  for (const std::string& target : arguments.positional) {
    const auto matches = harness::match_target(known, target);
    if (matches.empty()) return harness::no_match(known, target);
    for (const harness::WorkloadInfo* match : matches) {
      subject.names.insert(match->id);
      if (match->variants.empty()) subject.elsewhere = match->id;
    }
  }
  subject.able = with_techniques(*built_in, DeviceKind::cpu);
  for (std::string& id : with_techniques(*built_in, DeviceKind::cuda))
    if (std::ranges::find(subject.able, id) == subject.able.end()) subject.able.push_back(std::move(id));
  std::erase_if(subject.able,
                [&](const std::string& id) { return !subject.names.empty() && !subject.names.contains(id); });
  return subject;
}

/// For each place the cell with most valid combinations, the latest of equals: a figure of each, latest
/// first.
std::vector<const Figure*> latest_cells(const std::vector<Figure>& figures, const Subject& subject) {
  struct Cells {
    std::map<std::int64_t, int> valid;
    std::map<std::int64_t, const Figure*> one;
  };
  std::map<analysis::Where, Cells> places;
  for (const Figure& figure : figures) {
    if (!is_combination(figure.variant)) continue;
    if (!subject.names.empty() && !subject.names.contains(figure.workload)) continue;
    Cells& cells = places[analysis::where(figure)];
    cells.valid[figure.seq] += figure.validity == Validity::valid ? 1 : 0;
    cells.one[figure.seq] = &figure;
  }
  std::vector<const Figure*> chosen;
  for (const auto& [place, cells] : places) {
    const auto most = std::ranges::max_element(
        cells.valid, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
    chosen.push_back(cells.one.at(most->first));
  }
  std::ranges::sort(chosen, std::greater(), &Figure::seq);
  return chosen;
}

Stacking stacking_of(const CellResult& cell, const RunConfig& config) {
  if (cell.goal == Goal::memory) return {.needs = "a goal that is compared round by round, not memory"};
  std::vector<std::string> techniques;
  std::vector<MeasuredSubset> measured;
  std::vector<analysis::LeftOut> left_out;
  const auto take = [&](const VariantResult& variant, std::vector<std::string> own) {
    if (!variant.skipped.empty()) {
      left_out.push_back({variant.name, variant.skipped});
    } else if (variant.validity != Validity::valid) {
      left_out.push_back({variant.name, "it is " + std::string(name_of(variant.validity))});
    } else {
      measured.push_back({variant.name, std::move(own), harness::costs(cell, variant.samples)});
    }
  };
  if (const VariantResult* first = cell.baseline()) take(*first, {});
  for (const VariantResult& variant : cell.variants) {
    if (!is_combination(variant.name)) continue;
    std::vector<std::string> own = techniques_of(variant.name);
    if (own.size() == 1) techniques.push_back(own.front());
    take(variant, std::move(own));
  }
  const stats::SequentialPlan plan(config.looks, config.alpha);
  Stacking read =
      analysis::stacking(std::move(techniques), measured,
                         {plan, std::clamp(cell.look, 0, plan.look_count() - 1), config.equivalence});
  read.left_out = std::move(left_out);
  return read;
}

Result<std::vector<Stacking>> read_cells(const std::vector<const Figure*>& cells, const RunSource& runs) {
  std::map<std::string, RunRecord> loaded;
  std::vector<Stacking> all;
  for (const Figure* figure : cells) {
    if (!loaded.contains(figure->run)) {
      Result<RunRecord> run = runs(figure->run);
      if (!run) return run.error();
      loaded.emplace(figure->run, *std::move(run));
    }
    const RunRecord& run = loaded.at(figure->run);
    const auto cell = std::ranges::find_if(run.cells, [&](const CellResult& each) {
      return each.workload == figure->workload && each.parameters == figure->parameters &&
             each.device == figure->device && each.cache == figure->cache;
    });
    if (cell == run.cells.end()) continue;
    Stacking read = stacking_of(*cell, run.manifest.config);
    read.where = analysis::where(*figure);
    read.run = figure->run;
    read.finished = figure->finished;
    all.push_back(std::move(read));
  }
  return all;
}

std::string ratio_text(const std::optional<RatioEstimate>& ratio, const std::string& needs = "") {
  if (ratio) return report::format_ratio(*ratio);
  return needs.empty() ? std::string(report::kUnknownText) : "needs " + needs;
}

std::string text_of(const Stacking& read, const Arguments& arguments) {
  std::string text = title_of(read.where) + "\n";
  if (!read.needs.empty())
    return text + "  cannot tell: needs " + read.needs + "\n" + left_out_text(read.left_out) + "\n";
  Sheet gains({"techniques", "gain over " + read.baseline});
  for (const SubsetGain& each : read.subsets) gains.add({{each.variant}, {ratio_text(each.gain)}});
  Sheet pairs({"two techniques", "together, over one by one", "they"});
  for (const Interaction& each : read.interactions)
    pairs.add({{each.first + " and " + each.second}, {ratio_text(each.ratio, each.needs)}, {each.reading}});
  Sheet added({"adding", "to the best without it", "gains"});
  for (const Marginal& each : read.marginals)
    added.add({{each.technique}, {each.to}, {ratio_text(each.gain, each.needs)}});
  text += gains.text(arguments) + "\n" + (pairs.empty() ? "" : pairs.text(arguments) + "\n") +
          added.text(arguments) + "\n  best: " + report::visible(read.best);
  if (!read.as_good.empty()) text += "; not surely better than " + report::visible(listed(read.as_good));
  return text + "\n" + left_out_text(read.left_out) + "\n";
}

std::string needs_text(const Subject& subject, const Arguments& arguments) {
  if (subject.able.empty() && !subject.elsewhere.empty())
    return "`aisp run " + subject.elsewhere + " --combinations`, with its --plugin";
  if (subject.able.empty()) {
    return "techniques that combine: " +
           (arguments.positional.empty() ? "no workload" : listed(arguments.positional)) +
           " declares none, and CONTRIBUTING.md says how it is done";
  }
  if (subject.able.size() == 1) return "`aisp run " + subject.able.front() + " --combinations`";
  return "`aisp run WORKLOAD --combinations`: these declare techniques: " + listed(subject.able);
}

/// With the runs of the store that --store names.
Result<Answer> ask_store(const Arguments& arguments, const FigureSource& source) {
  Result<std::optional<store::Store>> results = open_store_if_any(arguments);
  if (!results) return results.error();
  return ask_stacking(arguments, source, [&](const std::string& run) { return (*results)->load(run); });
}

}  // namespace

Result<Answer> ask_stacking(const Arguments& arguments, const FigureSource& source, const RunSource& runs) {
  Arguments about_all = arguments;
  about_all.positional.clear();  // what is named may be known and not be stored
  const Result<Figures> figures = source(about_all);
  if (!figures) return figures.error();
  const Result<Subject> subject = subject_of(arguments, **figures);
  if (!subject) return subject.error();
  std::vector<const Figure*> cells = latest_cells(**figures, *subject);
  const std::size_t all = cells.size();
  // Whole runs are read: no more of them than are shown.
  keep_page(cells, arguments);
  auto found = read_cells(cells, runs);
  if (!found) return found.error();
  const auto told = [](const Stacking& each) { return each.needs.empty(); };
  std::vector<Stacking> shown = *std::move(found);
  std::ranges::stable_partition(shown, told);
  Answer said{
      .kind = "stacking",
      .body = {{"found", all}, {"combinations", to_json(shown)}, {"declared", to_json(subject->able)}}};
  if (!arguments.json()) {
    for (const Stacking& each : shown) said.text += text_of(each, arguments);
    said.text += shown_text(shown.size(), all);
  }
  if (all == 0) {
    said.needs = needs_text(*subject, arguments);
  } else if (!shown.empty() && !told(shown.front())) {
    said.needs = shown.front().needs;
  }
  return said;
}

const Command kStacking{
    .name = "stacking",
    .summary = "Shows which techniques add up, help each other or get in the way, as measured",
    .positional = "[WORKLOAD...]",
    .flags = question_flags({top_flag(), offset_flag()}),
    .details =
        "Over cells that `aisp run` measured with --combinations: what each technique gains alone, what two\n"
        "gain together over the product of their gains, and what one still adds to the best subset of the\n"
        "others. Ratios are of the same rounds; above 1 is better. Two techniques help each other or get in\n"
        "the way where the interval excludes 1; they add up where it lies within the run's --equivalence.\n\n"
        "aisp run ch07/transpose --combinations\naisp stacking ch07/transpose",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_store); },
    .group = "analyze"};

}  // namespace aisp::cli
