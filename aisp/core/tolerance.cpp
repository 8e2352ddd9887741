// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/tolerance.h"

#include <algorithm>
#include <cmath>

namespace aisp {

Tolerance exact() { return {.bitwise = true, .reason = "exact: no rounding happens"}; }

Tolerance roundings(DType type, double count) {
  return {.relative = count * unit_roundoff(type),
          .reason = std::to_string(static_cast<int>(count)) + " roundings of " + std::string(name_of(type))};
}

Tolerance reduction(DType stored, DType accumulator, double length) {
  const double growth = std::min(std::max(length, 1.0), 6.0 * std::sqrt(std::max(length, 1.0)));
  return {.relative = unit_roundoff(stored),
          .scaled = growth * unit_roundoff(accumulator),
          .reason = "sum of " + std::to_string(static_cast<long long>(length)) + " terms in " +
                    std::string(name_of(accumulator))};
}

Tolerance quantised(double slack) { return {.absolute = 0.5 + slack, .reason = "rounded to a whole number"}; }

}  // namespace aisp
