// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/exit_code.h"

#include <algorithm>
#include <array>

namespace aisp {
namespace {

int code_of(const CellResult& cell) {
  int code = kExitValid;
  const auto worse = [&](int candidate) {
    constexpr std::array<int, 6> kOrder{
        70, kExitWorkload, kExitInvalid, kExitUnproven, kExitInconclusive, kExitValid};
    if (std::ranges::find(kOrder, candidate) < std::ranges::find(kOrder, code)) code = candidate;
  };
  for (const VariantResult& variant : cell.variants) {
    if (!variant.skipped.empty()) continue;
    if (variant.validity == Validity::failed) worse(kExitWorkload);
    if (variant.validity == Validity::invalid) worse(kExitInvalid);
    if (variant.validity == Validity::unproven) worse(kExitUnproven);
  }
  const VariantResult* best = cell.best();
  if (best != nullptr && best->speedup->outcome == Outcome::inconclusive) worse(kExitInconclusive);
  return code;
}

}  // namespace

int exit_code_of(std::span<const CellResult> cells) {
  for (const int code : {70, kExitWorkload, kExitInvalid, kExitUnproven, kExitInconclusive}) {
    if (std::ranges::any_of(cells, [&](const CellResult& cell) { return code_of(cell) == code; }))
      return code;
  }
  return kExitValid;
}

}  // namespace aisp
