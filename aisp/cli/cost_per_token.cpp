// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cost_per_token.h"

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/worksheet.h"

namespace aisp::cli {
namespace {

int run_cost_per_token(const Arguments& arguments) {
  Worksheet sheet(arguments, kCostPerToken);
  // Whoever rents by the hour pays for the power with it.
  const bool rented =
      arguments.number("hourly") > 0 && !arguments.has("power") && !arguments.has("electricity");
  if (const Status given =
          rented ? sheet.need({"throughput"}) : sheet.need({"power", "throughput", "electricity"});
      !given)
    return fail(arguments, given.error());
  const analysis::ServingCosts costs{.watts = arguments.number("power"),
                                     .tokens_per_second = arguments.number("throughput"),
                                     .price_per_kwh = arguments.number("electricity"),
                                     .utilisation = arguments.number("utilisation"),
                                     .idle_watts = arguments.number("idle-power"),
                                     .facility = arguments.number("pue"),
                                     .hardware_price = arguments.number("price"),
                                     .years = arguments.number("years"),
                                     .hourly = arguments.number("hourly")};
  const Result<analysis::TokenCost> cost = analysis::cost_per_token(costs);
  if (!cost) return fail(arguments, cost.error());

  const auto n = plain_number;
  const std::string money = arguments.text("currency") + " per million tokens";
  sheet.step("serving", fmt::format("1000000 / {}", n(costs.tokens_per_second)), cost->served_seconds,
             "s per million tokens");
  sheet.step("owning", fmt::format("{} / {}", n(cost->served_seconds), n(costs.utilisation)),
             cost->owned_seconds, "s per million tokens");
  if (rented) {
    sheet.note("Power is not counted by itself: --power and --electricity were not given.");
  } else {
    sheet.step(
        "energy",
        fmt::format("({} W x {} s + {} W x {} s) x {} / 3600000", n(costs.watts), n(cost->served_seconds),
                    n(costs.idle_watts), n(cost->owned_seconds - cost->served_seconds), n(costs.facility)),
        cost->kwh, "kWh per million tokens");
    sheet.step("electricity", fmt::format("{} x {}", n(cost->kwh), n(costs.price_per_kwh)), cost->electricity,
               money);
  }
  if (costs.hardware_price > 0) {
    sheet.step("hardware",
               fmt::format("{} x {} s / ({} years x {:.0f} s)", n(costs.hardware_price),
                           n(cost->owned_seconds), n(costs.years), analysis::kSecondsPerYear),
               cost->amortisation, money);
  } else {
    sheet.note("The hardware is not counted: --price and --years were not given.");
  }
  if (costs.hourly > 0)
    sheet.step("by the hour", fmt::format("{} x {} s / 3600", n(costs.hourly), n(cost->owned_seconds)),
               cost->hourly, money);
  sheet.step("total", "", cost->total, money);
  return sheet.print();
}

Flag cost_flag(const char* name, const char* help, const char* value, const char* fallback = "",
               double low = 0, double high = 1e15, const char* alias = "") {
  return {.name = name,
          .kind = FlagKind::real,
          .help = help,
          .value = value,
          .fallback = fallback,
          .low = low,
          .high = high,
          .alias = alias};
}

}  // namespace

const Command kCostPerToken{
    .name = "cost-per-token",
    .summary = "What a million tokens cost: electricity, hardware and hours, with the arithmetic",
    .positional = "",
    .flags = {cost_flag("power", "drawn while serving, of everything that serves", "WATTS", "", 1e-9, 1e15,
                        "--avg-power"),
              cost_flag("throughput", "tokens per second while serving", "TOKENS", "", 1e-9),
              cost_flag("electricity", "price of a kilowatt hour", "MONEY", "", 0, 1e15,
                        "--electricity-cost"),
              cost_flag("utilisation", "share of the time that it serves", "SHARE", "1", 1e-9, 1),
              cost_flag("idle-power", "drawn in the rest of the time", "WATTS", "0"),
              cost_flag("pue", "power of the site for each watt of the machine", "RATIO", "1", 1e-9, 1000),
              cost_flag("price", "of the hardware, paid once; 0 = not counted", "MONEY", "0"),
              cost_flag("years", "over which the hardware is paid back", "YEARS", "", 1e-9, 1000),
              cost_flag("hourly", "everything else, by the hour; of a rented machine that may be all",
                        "MONEY", "0"),
              {.name = "currency",
               .kind = FlagKind::text,
               .help = "a name for the unit of the prices",
               .value = "NAME",
               .fallback = "USD"}},
    .details =
        "aisp utils cost-per-token --power 800 --throughput 1500 --electricity 0.16\n"
        "aisp utils cost-per-token --throughput 1500 --hourly 3.50\n"
        "aisp utils cost-per-token --power 5600 --throughput 12000 --electricity 0.12 --price 250000 --years "
        "4\n\n"
        "Formulas and worked examples: docs/handbook/sizing.md.",
    .run = run_cost_per_token,
    .group = "utils"};

}  // namespace aisp::cli
