// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/plan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include <fnmatch.h>

#include "aisp/core/combinations.h"
#include "aisp/core/configuration.h"
#include "aisp/core/nearest.h"
#include "aisp/harness/configured.h"

namespace aisp::harness {
namespace {

/// "ch7.baseline_transpose" and friends as this project spells them: "ch07/transpose".
std::string canonical(std::string target) {
  for (char& c : target) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto separator = target.find_first_of(":.");
  if (separator != std::string::npos && target.rfind("tag:", 0) != 0) target[separator] = '/';
  for (const std::string prefix : {"baseline_", "optimized_"}) {
    const auto at = target.find('/' + prefix);
    if (at != std::string::npos) target.erase(at + 1, prefix.size());
  }
  if (target.rfind("ch", 0) == 0) {
    std::size_t digits = 2;
    while (digits < target.size() && std::isdigit(static_cast<unsigned char>(target[digits])) != 0) ++digits;
    const bool whole = digits == target.size() || target[digits] == '/';  // not the start of a pattern
    if (digits == 3 && whole) target.insert(2, "0");
  }
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  return target;
}

/// "n=1024,2048" to its name and values.
Result<std::pair<std::string, std::vector<std::int64_t>>> parse_parameter(const std::string& text) {
  const Error bad{ErrorCode::usage, "--param " + text + " is not of the form name=value[,value...]",
                  "values are whole numbers from 0, for example --param n=1024,4096"};
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return bad;
  std::vector<std::int64_t> values;
  std::size_t at = equals + 1;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error == std::errc::result_out_of_range)
      return Error{ErrorCode::usage,
                   "--param " + text + ": " + text.substr(at, end - at) + " is larger than any size",
                   bad.hint};
    if (error != std::errc{} || stop != text.data() + end || value < 0) return bad;
    values.push_back(value);
    at = end + 1;
  }
  if (values.empty()) return bad;
  return std::pair{text.substr(0, equals), values};
}

/// Every value once, in the order of their first mention.
std::vector<std::int64_t> distinct(const std::vector<std::int64_t>& values) {
  std::vector<std::int64_t> kept;
  for (const std::int64_t value : values) {
    if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
  }
  return kept;
}

std::vector<std::int64_t> values_of(const AxisInfo& axis, const std::string& suite) {
  if (suite == "small") return {axis.small};
  if (suite != "quick") return axis.values;
  return axis.quick.empty() ? std::vector{axis.values.front()} : axis.quick;
}

/// What a workload cannot be asked for: it would divide by zero or wait for ever, and look broken.
Status check_values(const std::string& workload, const AxisInfo& axis,
                    const std::vector<std::int64_t>& values) {
  for (const std::int64_t value : values) {
    if (value >= axis.least && value <= axis.most.value_or(value)) continue;
    const std::string least = std::to_string(axis.least);
    return Error{
        ErrorCode::usage, workload + " cannot run with " + axis.name + "=" + std::to_string(value),
        axis.name + " is " +
            (axis.most ? "from " + least + " to " + std::to_string(*axis.most) : least + " or more")};
  }
  return Ok{};
}

using Chosen = std::map<std::string, const WorkloadInfo*>;

Error none_has(const std::string& what, const std::string& name, const std::vector<std::string>& known,
               const std::string& otherwise) {
  const auto near = suggest(name, known);
  return {ErrorCode::usage, "none of the chosen workloads has a " + what + " '" + name + "'",
          near.empty() ? otherwise : "did you mean '" + near.front() + "'?"};
}

/// A misspelt variant would leave the baseline alone in the run, which says nothing about what was asked.
Status check_variants(const Chosen& chosen, const std::vector<std::string>& asked) {
  std::vector<std::string> known;
  for (const auto& [id, workload] : chosen) {
    for (const VariantInfo& variant : workload->variants) known.push_back(variant.name);
  }
  for (const std::string& name : asked) {
    if (std::ranges::find(known, declared_name(name)) == known.end())
      return none_has("variant", declared_name(name), known, "`aisp list <workload>` shows its variants");
  }
  return Ok{};
}

/// All combinations of the axes' values, the last axis fastest.
std::vector<Params> expand(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& axes) {
  std::vector<Params> all{Params{}};
  for (const auto& [name, values] : axes) {
    std::vector<Params> longer;
    for (const Params& params : all) {
      for (const std::int64_t value : values) {
        Params next = params;
        next.set(name, value);
        longer.push_back(std::move(next));
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::vector<const WorkloadInfo*> match_target(const std::vector<WorkloadInfo>& catalogue,
                                              const std::string& target) {
  const std::string wanted = canonical(target);
  std::vector<const WorkloadInfo*> matches;
  for (const WorkloadInfo& workload : catalogue) {
    const std::string& id = workload.id;
    const bool by_tag = wanted.rfind("tag:", 0) == 0 &&
                        std::ranges::find(workload.tags, wanted.substr(4)) != workload.tags.end();
    const bool by_name = id == wanted || id.rfind(wanted + "/", 0) == 0 || wanted == "all" ||
                         id.substr(id.find('/') + 1) == wanted;
    if (by_tag || by_name || fnmatch(wanted.c_str(), id.c_str(), 0) == 0) matches.push_back(&workload);
  }
  return matches;
}

std::vector<std::string> suggest(const std::string& name, const std::vector<std::string>& known) {
  return nearest(name, known);
}

Error no_match(const std::vector<WorkloadInfo>& catalogue, const std::string& target) {
  std::vector<std::string> known;
  for (const WorkloadInfo& workload : catalogue) known.push_back(workload.id);
  const auto near = suggest(canonical(target), known);
  std::string hint = "`aisp list` shows what there is";
  if (!near.empty()) hint = "did you mean " + near.front() + "? " + hint;
  return {ErrorCode::usage, "no workload matches '" + target + "'", hint};
}

std::vector<std::string> repeated_values(const std::vector<std::string>& parameters) {
  std::vector<std::string> repeated;
  for (const std::string& text : parameters) {
    const auto parsed = parse_parameter(text);
    if (!parsed) continue;  // plan_cells() says what is wrong with it
    for (const std::int64_t value : distinct(parsed->second)) {
      if (std::ranges::count(parsed->second, value) > 1)
        repeated.push_back(parsed->first + "=" + std::to_string(value));
    }
  }
  return repeated;
}

Result<std::vector<PlannedCell>> plan_cells(const std::vector<WorkloadInfo>& catalogue,
                                            const RunConfig& config, int cores) {
  std::map<std::string, std::vector<std::int64_t>> overrides;
  for (const std::string& text : config.parameters) {
    const auto parsed = parse_parameter(text);
    if (!parsed) return parsed.error();
    overrides[parsed->first] = distinct(parsed->second);
  }
  const DeviceKind device = kind_of(config.device);
  std::set<std::string> used;
  Chosen chosen;
  for (const std::string& target : config.targets) {
    auto matches = match_target(catalogue, target);
    if (matches.empty()) return no_match(catalogue, target);
    const auto elsewhere = [&](const WorkloadInfo* w) { return w->device != device; };
    if (std::ranges::all_of(matches, elsewhere)) {
      const std::string other(name_of(matches.front()->device));
      return Error{ErrorCode::usage,
                   matches.front()->id + " has no variants for " + std::string(name_of(device)),
                   "it runs on " + other + ": --device " + other + (other == "cpu" ? "" : ":0")};
    }
    std::erase_if(matches, elsewhere);
    for (const WorkloadInfo* match : matches) chosen[match->id] = match;
  }
  std::vector<PlannedCell> cells;
  for (const auto& [id, workload] : chosen) {
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> axes;
    for (const AxisInfo& axis : workload->axes) {
      const auto given = overrides.find(axis.name);
      if (given != overrides.end()) used.insert(axis.name);
      std::vector<std::int64_t> values =
          given != overrides.end() ? given->second : values_of(axis, config.suite);
      if (axis.name == "threads" && given == overrides.end()) {
        std::erase_if(values, [&](std::int64_t threads) { return threads > cores; });
        if (values.empty()) values.push_back(cores);
      }
      if (const Status fits = check_values(id, axis, values); !fits) return fits.error();
      axes.emplace_back(axis.name, std::move(values));
    }
    WorkloadInfo shown = *workload;
    // Combinations of techniques are no part of the ladder: they are measured when they are named.
    std::erase_if(shown.variants, [&](const VariantInfo& variant) {
      return is_combination(variant.name) &&
             std::ranges::find(config.variants, variant.name) == config.variants.end();
    });
    for (Params& params : expand(axes)) {
      PlannedCell& cell = cells.emplace_back(PlannedCell{shown, std::move(params)});
      if (const Status added = add_configurations(cell, config); !added) return added.error();
    }
  }
  for (const auto& [name, values] : overrides) {
    if (used.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [id, workload] : chosen) {
      for (const AxisInfo& axis : workload->axes) known.push_back(axis.name);
    }
    return none_has("parameter", name, known, "`aisp list <workload>` shows its axes");
  }
  if (const Status variants = check_variants(chosen, config.variants); !variants) return variants.error();
  return cells;
}

}  // namespace aisp::harness
