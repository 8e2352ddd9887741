// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/record.h"

#include <algorithm>

namespace aisp {

std::pair<int, int> Samples::place(std::size_t i) const {
  return {i < attempt.size() ? attempt[i] : 0, i < round.size() ? round[i] : 0};
}

const VariantResult* CellResult::find(std::string_view variant) const {
  const auto found = std::ranges::find(variants, variant, &VariantResult::name);
  return found == variants.end() ? nullptr : &*found;
}

bool CellResult::as_graphs() const {
  return std::ranges::any_of(
      variants, [](const VariantResult& v) { return v.evidence.timing.instrument == Instrument::graph; });
}

VariantResult& CellResult::at(const std::string& variant) {
  const auto found = std::ranges::find(variants, variant, &VariantResult::name);
  if (found != variants.end()) return *found;
  VariantResult& added = variants.emplace_back();
  added.name = variant;
  return added;
}

const VariantResult* CellResult::baseline() const {
  const auto found = std::ranges::find(variants, Rung::step, &VariantResult::rung);
  return found == variants.end() ? nullptr : &*found;
}

std::map<std::pair<int, int>, std::string> CellResult::discarded_rounds() const {
  std::map<std::pair<int, int>, std::string> discarded;
  for (const RoundRecord& each : rounds) {
    if (!each.discarded.empty()) discarded.emplace(std::pair{each.attempt, each.round}, each.discarded);
  }
  return discarded;
}

const VariantResult* CellResult::best() const {
  const VariantResult* best = nullptr;
  for (const VariantResult& variant : variants) {
    if (variant.rung != Rung::step || &variant == baseline() || !variant.speedup) continue;
    if (variant.validity == Validity::invalid || variant.validity == Validity::failed) continue;
    if (best == nullptr || variant.speedup->ratio > best->speedup->ratio) best = &variant;
  }
  return best;
}

}  // namespace aisp
