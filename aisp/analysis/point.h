// SPDX-License-Identifier: Apache-2.0
/// \file
/// Figures that are known without an interval, such as an error, among figures that have one, and energies
/// and peaks of memory, which may be known either way.
#pragma once

#include <algorithm>
#include <optional>

#include "aisp/core/figure.h"
#include "aisp/core/memory_resolution.h"
#include "aisp/core/record.h"

namespace aisp::analysis {

inline std::optional<Estimate> point(const std::optional<double>& value) {
  return value ? std::optional(Estimate{*value, *value, *value}) : std::nullopt;
}

/// What the figure's energy counter gave, as far as it tells such numbers apart: of one run, and nothing of
/// the spread between runs. A point where that was not recorded.
inline std::optional<Estimate> counted(const Figure& figure, const std::optional<double>& number) {
  if (!number || !(figure.joules_uncertainty.value_or(-1) >= 0)) return point(number);
  const double off = *number * *figure.joules_uncertainty;
  return Estimate{*number, std::max(*number - off, 0.0), *number + off};
}

/// Joules for a call.
inline std::optional<Estimate> energy_of(const Figure& figure) { return counted(figure, figure.joules); }

/// What a variant held, as far as its device counts it.
inline std::optional<Estimate> memory_of(const Figure& figure) {
  return figure.peak_bytes ? std::optional(aisp::memory_of(*figure.peak_bytes, figure.device)) : std::nullopt;
}

/// Mean power while calls followed each other.
inline std::optional<Estimate> power_of(const Figure& figure) { return counted(figure, figure.watts); }

}  // namespace aisp::analysis
