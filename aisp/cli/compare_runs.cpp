// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_forms.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/results.h"
#include "aisp/stats/decide.h"

namespace aisp::cli {
namespace {

/// What the goal compares, less being better. Throughput is a time per item, whose inverse is its figure.
const std::optional<Estimate>& cost_of(const CellResult& cell, const VariantResult& variant) {
  return cell.goal == Goal::throughput ? variant.time_ns : variant.figure;
}

/// The two intervals combined at their worst: wide, and honest.
std::optional<RatioEstimate> unpaired(const std::string& against, const std::optional<Estimate>& first,
                                      const std::optional<Estimate>& second, double delta) {
  if (!first || !second || !(first->value > 0) || !(second->value > 0)) return std::nullopt;
  RatioEstimate r{.against = against,
                  .ratio = first->value / second->value,
                  .low = first->low / second->high,
                  .high = first->high / second->low,
                  .confidence = 0.9,
                  .method = "unpaired"};
  const stats::Decision decision = stats::decide(r.low, r.high, delta);
  r.outcome = static_cast<Outcome>(decision.outcome);
  r.small = decision.small;
  return r;
}

const CellResult* same_cell(const RunRecord& run, const CellResult& cell) {
  const auto found = std::ranges::find_if(run.cells, [&](const CellResult& other) {
    return other.workload == cell.workload && other.parameters == cell.parameters;
  });
  return found == run.cells.end() ? nullptr : &*found;
}

void compare_cells(const RunRecord& a, const RunRecord& b, const CellResult& cell, const CellResult& other,
                   ComparisonAnswer& answer) {
  std::string note = "unpaired";
  if (a.manifest.hardware != b.manifest.hardware) note += ", different machines";
  // Their figures may not mean the same: CHANGELOG.md says what each method changed.
  if (a.manifest.method != b.manifest.method)
    note += fmt::format(", method {} against {}", a.manifest.method, b.manifest.method);
  if (cell.cache != other.cache)
    note += ", caches " + std::string(name_of(cell.cache)) + " against " + std::string(name_of(other.cache));
  if (cell.as_graphs() != other.as_graphs()) note += ", one of them as graphs";
  const std::string name = cell.workload + " " + cell.parameters;
  for (const VariantResult& v : cell.variants) {
    const VariantResult* w = other.find(v.name);
    if (w == nullptr || !v.skipped.empty() || !w->skipped.empty()) {
      if (w == nullptr) answer.left_out.push_back(name + " " + v.name + ": only in " + a.id);
      continue;
    }
    answer.lines.push_back(
        line_of(name + " " + v.name, v, *w,
                unpaired(a.id, cost_of(cell, v), cost_of(other, *w), a.manifest.config.equivalence), note));
  }
}

}  // namespace

Result<ComparisonAnswer> compare_records(const RunRecord& a, const RunRecord& b, bool across) {
  if (a.id == b.id) {
    return Error{ErrorCode::usage, "both names mean run " + a.id,
                 "a run says nothing new about itself; `aisp replay " + a.id + "` repeats it"};
  }
  if (a.manifest.hardware != b.manifest.hardware && !across) {
    return Error{
        ErrorCode::bad_input,
        "run " + a.id + " is from " + a.manifest.hardware + ", run " + b.id + " from " + b.manifest.hardware,
        "--across compares machines, and labels the answer so"};
  }
  ComparisonAnswer answer{.first = a.id, .second = b.id, .lines = {}};
  for (const CellResult& cell : a.cells) {
    if (const CellResult* other = same_cell(b, cell)) {
      compare_cells(a, b, cell, *other, answer);
    } else {
      answer.left_out.push_back(cell.workload + " " + cell.parameters + ": only in " + a.id);
    }
  }
  for (const CellResult& cell : b.cells) {
    if (same_cell(a, cell) == nullptr)
      answer.left_out.push_back(cell.workload + " " + cell.parameters + ": only in " + b.id);
  }
  return answer;
}

int compare_runs(const Arguments& arguments) {
  Result<store::Store> results = open_store(arguments, store::Access::read_only);
  if (!results) return fail(arguments, results.error());
  const Result<RunRecord> a = results->load(arguments.positional[0]);
  if (!a) return fail(arguments, a.error());
  const Result<RunRecord> b = results->load(arguments.positional[1]);
  if (!b) return fail(arguments, b.error());
  const Result<ComparisonAnswer> answer = compare_records(*a, *b, arguments.has("across"));
  return answer ? print_answer(arguments, *answer) : fail(arguments, answer.error());
}

}  // namespace aisp::cli
