// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures that are known without an interval, such as a peak of memory, among figures that have one, and
/// energies, which may be known either way.
#pragma once

#include <algorithm>
#include <optional>

#include "aisp/core/figure.h"
#include "aisp/core/record.h"

namespace aisp::analysis {

inline std::optional<Estimate> point(const std::optional<double>& value) {
  return value ? std::optional(Estimate{*value, *value, *value}) : std::nullopt;
}

/// Joules for a call, as far as its counter tells them apart: of one run, and nothing of the spread between
/// runs. A point where that was not recorded.
inline std::optional<Estimate> energy_of(const Figure& figure) {
  if (!figure.joules || !(figure.joules_uncertainty.value_or(-1) >= 0)) return point(figure.joules);
  const double off = *figure.joules * *figure.joules_uncertainty;
  return Estimate{*figure.joules, std::max(*figure.joules - off, 0.0), *figure.joules + off};
}

}  // namespace aisp::analysis
