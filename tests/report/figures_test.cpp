// SPDX-License-Identifier: Apache-2.0
// What the dashboard writes a second time, in TypeScript: cases with their texts, for its own test to be held
// to.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "tests/report/golden.h"

namespace aisp::report {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string json_number(double value) {
  if (std::isnan(value)) return "\"nan\"";
  return std::isinf(value) ? "\"inf\"" : fmt::format("{}", value);
}

std::string line_of(const char* kind, const Estimate& e, const std::string& text) {
  return fmt::format(
      "{{\"kind\":\"{}\",\"estimate\":{{\"value\":{},\"low\":{},\"high\":{}}},\"text\":\"{}\"}}", kind,
      json_number(e.value), json_number(e.low), json_number(e.high), text);
}

/// Around every place where a digit, a unit or the rounding changes, and intervals of every width.
std::vector<Estimate> estimates() {
  std::vector<Estimate> all;
  for (const double value : {0.42, 1.0, 2.5, 9.995, 9.996, 12.5, 85.0, 123.456, 999.4, 999.6, 1023.5,
                             1048064.0, 4561200.0, 24.2e6, 1318e6, 1.234e12, 1e17})
    for (const double half : {0.0, 0.00011, 0.0019, 0.01, 0.0204, 0.096, 0.3, 0.9})
      all.push_back({value, value * (1 - half), value * (1 + 1.3 * half)});
  all.insert(all.end(), {{0, 0, 0},
                         {5e3, std::nan(""), kInf},
                         {5e3, 0, kInf},
                         {5e3, 4e3, kInf},
                         {5e3, 0, 8e3},
                         {1.5, 0.004, 9},
                         {0.125, 0.115, 0.135},
                         {-1, -2, 1},
                         {kInf, kInf, kInf}});
  return all;
}

TEST(Figures, AreTheOnesTheDashboardIsHeldTo) {
  std::string text;
  const auto add = [&](const std::string& line) { text += (text.empty() ? "[\n" : ",\n") + line; };
  for (const Estimate& e : estimates()) {
    add(line_of("time range", e, format_interval(e)));
    add(line_of("ratio range", e, format_ratio({.ratio = e.value, .low = e.low, .high = e.high})));
    add(line_of("memory range", e, format_figure(e, Goal::memory, Detail::interval)));
    if (e.low != e.high) continue;
    add(line_of("time", e, format_time(e.value)));
    add(line_of("ratio", e, format_ratio(e.value)));
    add(line_of("bytes", e, format_bytes(e.value)));
    add(line_of("number", e, format_number(e.value)));
  }
  for (const double value : {0.0, 1e-7, 0.0421, 0.0994, 0.0996, 0.421, 0.125, 8.74, 9.96, 12.5, 13.5, 87.3,
                             104.4, 9999.4, 1e9, -33.3, -1e-7})
    add(line_of("percent", {value, value, value}, format_percent(value)));
  expect_golden("figures.json", text + "\n]\n");
}

}  // namespace
}  // namespace aisp::report
