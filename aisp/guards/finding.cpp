// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace aisp::guards {
namespace {

Finding make(Level level, std::string because, std::string hint) {
  return {
      .guard = {}, .level = level, .because = std::move(because), .hint = std::move(hint), .waived = false};
}

std::string digits(double value, int significant) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", significant, value);
  return text;
}

}  // namespace

Finding pass(std::string because) { return make(Level::pass, std::move(because), {}); }
Finding note(std::string because, std::string hint) {
  return make(Level::note, std::move(because), std::move(hint));
}
Finding unknown(std::string missing, std::string hint) {
  return make(Level::unknown, std::move(missing), std::move(hint));
}
Finding reject(std::string because, std::string hint) {
  return make(Level::reject, std::move(because), std::move(hint));
}

std::string number(double value) { return std::isnan(value) ? "nan" : digits(value, 4); }

std::string count(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, ",");
  return text;
}

std::string duration(double ns) {
  const double size = std::fabs(ns);
  if (std::isnan(ns)) return "nan ns";
  if (size < 1e3) return digits(ns, 3) + " ns";
  if (size < 1e6) return digits(ns / 1e3, 3) + " µs";
  if (size < 1e9) return digits(ns / 1e6, 3) + " ms";
  return digits(ns / 1e9, 4) + " s";
}

std::string percent(double share) { return (std::isnan(share) ? "nan" : digits(share * 100, 3)) + " %"; }

}  // namespace aisp::guards
