// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/record.h"

#include <algorithm>

namespace aisp {

const VariantResult* CellResult::find(std::string_view variant) const {
  const auto found = std::ranges::find(variants, variant, &VariantResult::name);
  return found == variants.end() ? nullptr : &*found;
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
