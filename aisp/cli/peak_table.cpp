// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/peak_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/raise_ceilings.h"
#include "aisp/device/gpu/published_rates.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

std::string value_text(const Ceiling& c) {
  if (c.unit == "ns") return fmt::format("{:.2f} ns", c.value);
  return report::format_rate(c.value, c.unit.substr(0, c.unit.find('/')));
}

/// "97% of 4.80 TB/s published": what the maker says, where it says something.
std::string published_text(const Ceilings& ceilings, const Ceiling& c) {
  const auto rate = device::published(ceilings.hardware, c.name, c.level);
  if (!rate) return "";
  return fmt::format("{:.0f}% of {} published", 100 * c.value / *rate,
                     report::format_rate(*rate, c.unit.substr(0, c.unit.find('/'))));
}

}  // namespace

std::string peak_table(const Ceilings& ceilings, DeviceKind kind) {
  std::string text = ceilings.hardware + "\n";
  std::size_t widest = 0;
  for (const Ceiling& c : ceilings.entries) widest = std::max(widest, c.name.size());
  for (const Ceiling& c : ceilings.entries) {
    const std::string where = kind == DeviceKind::cpu
                                  ? fmt::format("{:>2} thread{}", c.threads, c.threads == 1 ? " " : "s")
                                  : fmt::format("{:<31}", published_text(ceilings, c));
    text += fmt::format("  {:<{}} {:<9} {:>14}  {}  {}{}\n", c.name, widest, c.level, value_text(c), where,
                        raised_by_workload(c) ? "reached earlier by " : "", c.probe);
  }
  for (const std::string& note : ceilings.notes) text += "  note: " + note + "\n";
  return text + "Each is the maximum over several probes; a valid workload that goes faster raises it.\n";
}

}  // namespace aisp::cli
