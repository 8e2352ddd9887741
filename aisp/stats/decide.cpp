// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/decide.h"

#include <cmath>

namespace aisp::stats {

Decision decide(double low, double high, double delta) {
  const bool usable = std::isfinite(low) && std::isfinite(high) && low > 0 && low <= high &&
                      std::isfinite(delta) && delta >= 0;
  if (!usable) return {};
  const bool inside = low >= 1 / (1 + delta) && high <= 1 + delta;
  if (low > 1) return {Outcome::faster, inside};
  if (high < 1) return {Outcome::slower, inside};
  return {inside ? Outcome::equivalent : Outcome::inconclusive, false};
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::faster:
      return "faster";
    case Outcome::slower:
      return "slower";
    case Outcome::equivalent:
      return "equivalent";
    case Outcome::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

}  // namespace aisp::stats
