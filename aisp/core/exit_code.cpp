// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/exit_code.h"

#include <algorithm>
#include <array>

namespace aisp {
namespace {

constexpr int kOther = -1;  // stands for every code that is not named

/// Place in the order of severity; the smaller is the worse.
int rank_of(int code) {
  constexpr std::array<int, 7> kOrder{
      70, kExitWorkload, kExitInvalid, kOther, kExitUnproven, kExitInconclusive, kExitValid};
  const auto found = std::ranges::find(kOrder, code);
  return static_cast<int>((found == kOrder.end() ? std::ranges::find(kOrder, kOther) : found) -
                          kOrder.begin());
}

int code_of(const CellResult& cell) {
  int code = kExitValid;
  const auto worse = [&](int candidate) { code = worse_exit(code, candidate); };
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
  int code = kExitValid;
  for (const CellResult& cell : cells) code = worse_exit(code, code_of(cell));
  return code;
}

int worse_exit(int a, int b) { return rank_of(b) < rank_of(a) ? b : a; }

}  // namespace aisp
