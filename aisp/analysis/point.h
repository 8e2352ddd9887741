// SPDX-License-Identifier: Apache-2.0
/// \file
/// A figure that is known without an interval, such as a peak of memory, among figures that have one.
#pragma once

#include <optional>

#include "aisp/core/record.h"

namespace aisp::analysis {

inline std::optional<Estimate> point(const std::optional<double>& value) {
  return value ? std::optional(Estimate{*value, *value, *value}) : std::nullopt;
}

}  // namespace aisp::analysis
