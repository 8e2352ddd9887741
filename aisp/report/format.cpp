// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/format.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace aisp::report {
namespace {

constexpr int kTimeDigits = 4;   // beyond four, a time differs between two runs of the same binary
constexpr int kRatioDigits = 5;  // paired ratios are tighter: 1.0023x is a possible statement

constexpr int kMostDecimals = 6;
constexpr double kRoundsUp = 0.000217;  // log10(1.0005)
constexpr double kEvenSides = 0.8;      // sides within a fifth of each other
constexpr double kNarrow = 0.05;        // within it, which side is the longer one misleads nobody
constexpr double kLargestPlain = 1e7;   // beyond it digits only fill the column

struct Unit {
  double scale;
  std::string_view name;
};

constexpr std::array<Unit, 4> kTimes{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
constexpr std::array<Unit, 6> kSi{{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}}};
constexpr std::array<Unit, 6> kIec{
    {{1, "B"}, {1024, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}}};

/// The largest unit that keeps at least 1 before the point; 999.6 already counts as the next one, because it
/// would be printed as 1000.
template <std::size_t N>
Unit unit_for(const std::array<Unit, N>& units, double value) {
  Unit best = units[0];
  for (const Unit& unit : units) {
    if (std::abs(value) >= unit.scale * 0.9995) best = unit;
  }
  return best;
}

std::string fixed(double value, int decimals) {
  if (std::abs(value) >= kLargestPlain) return fmt::format("{:.3g}", value);
  decimals = std::min(decimals, kMostDecimals);
  if (decimals < 0) {
    const double step = std::pow(10.0, -decimals);
    value = std::round(value / step) * step;
    decimals = 0;
  }
  std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos ? text.substr(1) : text;
}

int digits_before_point(double value) {
  // A little is added because 0.9996 is going to be printed as 1.00.
  return value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)) + kRoundsUp)) + 1;
}

std::string significant(double value, int digits) {
  return fixed(value, std::max(0, digits - digits_before_point(value)));
}

/// The distance that decides the digits: to the nearer end that is not the value itself; 0 if there is none.
double distance_of(double value, double low, double high) {
  double distance = 0;
  for (const double end : {low, high}) {
    const double d = std::abs(value - end);
    if (std::isfinite(d) && d > 0 && end > 0 && (distance == 0 || d < distance)) distance = d;
  }
  return distance;
}

int decimals_of(double value, double low, double high, int most) {
  const double distance = distance_of(value, low, high);
  if (distance == 0) return std::max(0, 3 - digits_before_point(value));
  int decimals = supported_decimals(value, distance, most);
  // A lower end above zero is never printed as zero.
  while (low > 0 && decimals < kMostDecimals && std::stod(fixed(low, decimals)) == 0) ++decimals;
  return decimals;
}

std::string brackets(double value, double low, double high, int decimals) {
  if (low == high && low == value) return "";
  const bool low_known = std::isfinite(low);
  const bool high_known = std::isfinite(high);
  // Times and ratios are positive: from zero to anything is what one knew before measuring.
  if (!high_known && (!low_known || low <= 0)) return " (no interval)";
  return fmt::format(" [{}, {}]", low_known ? fixed(low, decimals) : "?",
                     high_known ? fixed(high, decimals) : "?");
}

/// Where one number says both sides: ±246% of an interval from -7% to +246% would be a claim about times
/// below zero.
bool even_sided(const Estimate& e) {
  const double below = e.value - e.low;
  const double above = e.high - e.value;
  const double farther = std::max(below, above);
  if (!std::isfinite(farther) || farther >= e.value) return false;
  return farther <= kNarrow * e.value || std::min(below, above) >= kEvenSides * farther;
}

bool is_time(double ns) { return std::isfinite(ns) && ns >= 0; }
bool is_ratio(double ratio) { return std::isfinite(ratio) && ratio > 0; }

template <std::size_t N>
std::string write(const Estimate& e, const std::array<Unit, N>& units, std::string_view suffix,
                  Detail detail) {
  if (!is_time(e.value)) return std::string(kUnknownText);
  const Unit unit = unit_for(units, e.value);
  const double value = e.value / unit.scale;
  const double low = e.low / unit.scale;
  const double high = e.high / unit.scale;
  const int decimals = decimals_of(value, low, high, kTimeDigits);
  const std::string text = fmt::format("{} {}{}", fixed(value, decimals), unit.name, suffix);
  if (detail == Detail::value) return text;
  const bool short_form = detail == Detail::spread && even_sided(e);
  if (!short_form) return text + brackets(value, low, high, decimals);
  const double farther = std::max(e.value - e.low, e.high - e.value);
  return farther > 0 ? text + " ±" + format_percent(100 * farther / e.value) : text;
}

}  // namespace

int supported_decimals(double value, double distance, int most) {
  const int magnitude = static_cast<int>(std::floor(std::log10(distance)));
  const int decimals = -magnitude + (distance < 2 * std::pow(10.0, magnitude) ? 1 : 0);
  return std::min(decimals, std::max(0, most - digits_before_point(value)));
}

std::string format_time(double ns) {
  if (!is_time(ns)) return std::string(kUnknownText);
  const Unit unit = unit_for(kTimes, ns);
  return significant(ns / unit.scale, 3) + " " + std::string(unit.name);
}

std::string format_time(const Estimate& ns) { return write(ns, kTimes, "", Detail::value); }
std::string format_interval(const Estimate& ns) { return write(ns, kTimes, "", Detail::interval); }
std::string format_spread(const Estimate& ns) { return write(ns, kTimes, "", Detail::spread); }

std::string format_ratio(double ratio) {
  return is_ratio(ratio) ? significant(ratio, 3) + "x" : std::string(kUnknownText);
}

std::string format_ratio_value(const RatioEstimate& r) {
  if (!is_ratio(r.ratio)) return std::string(kUnknownText);
  return fixed(r.ratio, decimals_of(r.ratio, r.low, r.high, kRatioDigits)) + "x";
}

std::string format_ratio(const RatioEstimate& r) {
  if (!is_ratio(r.ratio)) return std::string(kUnknownText);
  const int decimals = decimals_of(r.ratio, r.low, r.high, kRatioDigits);
  return fixed(r.ratio, decimals) + "x" + brackets(r.ratio, r.low, r.high, decimals);
}

std::string format_bytes(double bytes) {
  if (!is_time(bytes)) return std::string(kUnknownText);
  const Unit unit = unit_for(kIec, bytes);
  const double value = bytes / unit.scale;
  return (unit.scale == 1 ? fixed(value, 0) : significant(value, 3)) + " " + std::string(unit.name);
}

std::string format_rate(double per_second, std::string_view unit) {
  if (!is_time(per_second)) return std::string(kUnknownText);
  const Unit prefix = unit_for(kSi, per_second);
  return fmt::format("{} {}{}/s", significant(per_second / prefix.scale, 3), prefix.name, unit);
}

std::string format_percent(double percent) {
  if (!std::isfinite(percent)) return std::string(kUnknownText);
  if (percent != 0 && std::abs(percent) < 0.01) return percent > 0 ? "<0.01%" : ">-0.01%";
  if (std::abs(percent) > 9999) return percent > 0 ? ">9999%" : "<-9999%";
  return significant(percent, std::abs(percent) >= 0.0995 ? 2 : 1) + "%";
}

std::string attempt_text(int attempt) { return std::to_string(attempt + 1); }

std::string format_number(double value) {
  if (!std::isfinite(value)) return std::string(kUnknownText);
  if (value == std::floor(value) && std::abs(value) < 1e9) return fixed(value, 0);
  return fmt::format("{:.4g}", value);
}

std::string format_figure(const Estimate& figure, Goal goal, Detail detail) {
  if (goal == Goal::throughput) return write(figure, kSi, "/s", detail);
  if (goal == Goal::memory) return write(figure, kIec, "", detail);
  return write(figure, kTimes, "", detail);
}

}  // namespace aisp::report
