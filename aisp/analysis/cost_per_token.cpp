// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cost_per_token.h"

#include <cmath>
#include <tuple>

namespace aisp::analysis {
namespace {

enum class Range { positive, not_negative, share };

Status check(const ServingCosts& costs) {
  const bool owned = costs.hardware_price > 0;
  for (const auto& [name, value, range] :
       {std::tuple{"power", costs.watts, costs.hourly > 0 ? Range::not_negative : Range::positive},
        {"throughput", costs.tokens_per_second, Range::positive},
        {"the price of electricity", costs.price_per_kwh, Range::not_negative},
        {"utilisation", costs.utilisation, Range::share},
        {"idle power", costs.idle_watts, Range::not_negative},
        {"the site's power for each watt", costs.facility, Range::positive},
        {"the price of the hardware", costs.hardware_price, Range::not_negative},
        {"years of amortisation", costs.years, owned ? Range::positive : Range::not_negative},
        {"hourly cost", costs.hourly, Range::not_negative}}) {
    const bool enough = range == Range::not_negative ? value >= 0 : value > 0;
    if (std::isfinite(value) && enough && (range != Range::share || value <= 1)) continue;
    return Error{ErrorCode::bad_input,
                 std::string(name) + (range == Range::share      ? " must be above 0 and at most 1"
                                      : range == Range::positive ? " must be above 0"
                                                                 : " must not be negative"),
                 owned && range == Range::positive && value == 0 ? "say it, or leave out what needs it" : ""};
  }
  return Ok{};
}

}  // namespace

Result<TokenCost> cost_per_token(const ServingCosts& costs) {
  if (const Status fine = check(costs); !fine) return fine.error();
  TokenCost cost;
  cost.served_seconds = 1e6 / costs.tokens_per_second;
  cost.owned_seconds = cost.served_seconds / costs.utilisation;
  const double joules =
      costs.watts * cost.served_seconds + costs.idle_watts * (cost.owned_seconds - cost.served_seconds);
  cost.kwh = joules * costs.facility / 3.6e6;
  cost.electricity = cost.kwh * costs.price_per_kwh;
  if (costs.hardware_price > 0)
    cost.amortisation = costs.hardware_price * cost.owned_seconds / (costs.years * kSecondsPerYear);
  cost.hourly = costs.hourly * cost.owned_seconds / 3600;
  cost.total = cost.electricity + cost.amortisation + cost.hourly;
  if (!std::isfinite(cost.total))
    return Error{ErrorCode::bad_input, "the cost is beyond all numbers", "check the sizes given"};
  return cost;
}

}  // namespace aisp::analysis
