// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/cell_evidence.h"

#include <algorithm>

#include "aisp/harness/date.h"
#include "aisp/harness/protocol.h"
#include "aisp/harness/seed.h"
#include "aisp/probes/power_limit.h"

namespace aisp::harness {
namespace {

struct HashPair {
  std::string configuration, programs;
};
HashPair split(const std::string& text) {
  const auto space = text.find(' ');
  return {text.substr(0, space), space == std::string::npos ? "" : text.substr(space + 1)};
}

bool one_build_id_each(const std::vector<Fact>& libraries) {
  return std::ranges::none_of(libraries, [&](const Fact& fact) {
    const auto other = [&](const Fact& f) { return f.name == fact.name && f.value != fact.value; };
    return std::ranges::any_of(libraries, other);
  });
}

/// Without a hash of the programs the build ids have to do.
std::optional<bool> programs_unchanged(const HashPair& start, const HashPair& end,
                                       const std::vector<Fact>& libraries) {
  if (start.programs != end.programs || !one_build_id_each(libraries)) return false;
  if (start.programs.empty() && libraries.empty()) return std::nullopt;
  return true;
}

/// A limit that one variant had and another had not is a difference of all: each was compared with the
/// others.
void compare_power_limits(CellResult& result) {
  probes::PowerLimitRange range;
  for (const VariantResult& v : result.variants) {
    range.look(v.evidence.environment.lowest_power_limit_w);
    range.look(v.evidence.environment.highest_power_limit_w);
  }
  for (VariantResult& v : result.variants) {
    EnvironmentEvidence& environment = v.evidence.environment;
    if (!environment.lowest_power_limit_w || !environment.highest_power_limit_w) continue;
    environment.lowest_power_limit_w = range.lowest_w();
    environment.highest_power_limit_w = range.highest_w();
  }
}

}  // namespace

std::string hash_pair(const std::string& configuration, const std::string& programs) {
  return configuration + " " + programs;
}

void fill_evidence(CellResult& result, const Opened& opened, const CellContext& context) {
  result.work_bytes = opened.work_bytes;
  result.work_flops = opened.work_flops;
  result.work_items = opened.work_items;
  Work work{.bytes = opened.work_bytes,
            .flops = opened.work_flops,
            .items = opened.work_items,
            .traffic = traffic_named(opened.traffic)};
  for (int type = 0; type <= static_cast<int>(DType::u8); ++type) {
    if (name_of(static_cast<DType>(type)) == opened.math) work.math = static_cast<DType>(type);
  }
  const double working_set = context.config.cache == CacheMode::steady ? 1e15 : opened.tensor_bytes;
  const auto floor = floor_of(work, working_set, threads_of(context.cell.params), context.ceilings);
  std::string commitments;
  bool seeds_match = true;
  for (const AttemptRecord& attempt : result.attempts) {
    if (attempt.status != "finished") continue;
    commitments += (commitments.empty() ? "" : " ") + attempt.seed_commitment;
    seeds_match = seeds_match && Seed::from_hex(attempt.seed).commitment() == attempt.seed_commitment;
  }
  const HashPair start = split(context.hash_at_start), end = split(context.hash_at_end);
  for (VariantResult& v : result.variants) {
    if (floor) v.evidence.floor = {.floor_ns = floor->ns, .bound = floor->bound};
    v.evidence.config.hash_at_start = start.configuration;
    v.evidence.config.hash_at_end = end.configuration;
    v.evidence.config.binary_unchanged = programs_unchanged(start, end, result.libraries);
    v.evidence.config.seed_commitment = commitments;
    v.evidence.config.seed_matches = seeds_match;
  }
  compare_power_limits(result);
}

void add_libraries(std::vector<Fact>& all, const std::vector<Fact>& loaded, const std::string& prefix) {
  for (Fact fact : loaded) {
    fact.name = prefix + fact.name;
    const auto same = [&](const Fact& f) { return f.name == fact.name && f.value == fact.value; };
    if (std::ranges::none_of(all, same)) all.push_back(std::move(fact));
  }
}

void note_containment(CellResult& cell, const std::string& containment) {
  if (containment == kContained) return;
  const std::string note =
      "not contained: " + (containment.empty() ? "the worker does not say that it is" : containment);
  if (std::ranges::find(cell.notes, note) == cell.notes.end()) cell.notes.push_back(note);
}

CellResult empty_result(const PlannedCell& cell, const RunConfig& config) {
  CellResult result;
  result.workload = cell.workload.id;
  result.title = cell.workload.title;
  result.parameters = cell.params.text();
  result.device = config.device;
  result.cache = config.cache;
  result.worker = config.worker;
  result.shape = cell.workload.shape;
  result.goal = cell.workload.goal;
  result.bound = cell.workload.bound;
  result.started = utc_now();
  return result;
}

}  // namespace aisp::harness
