// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/bar.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace aisp::tui {
namespace {

constexpr double kMostReach = 4;  // of an interval, as a multiple of its ratio
constexpr double kMargin = 1.1;

bool usable(const Estimate& r) {
  return std::isfinite(r.value) && r.value > 0 && r.low <= r.value && r.value <= r.high;
}

std::string joined(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += cell;
  return text;
}

}  // namespace

int Axis::place(double ratio) const {
  const double share = std::log(ratio / low) / std::log(high / low);
  return std::clamp(static_cast<int>(std::lround(share * (width - 1))), 0, width - 1);
}

std::string Axis::empty() const {
  std::vector<std::string> cells(static_cast<std::size_t>(std::max(width, 1)), "·");
  cells[static_cast<std::size_t>(place(1))] = "│";
  return joined(cells);
}

std::string Axis::bar(const Estimate& ratio) const {
  if (!usable(ratio)) return empty();
  std::vector<std::string> cells(static_cast<std::size_t>(std::max(width, 1)), "·");
  const auto at = [&](int place) -> std::string& { return cells[static_cast<std::size_t>(place)]; };
  at(place(1)) = "│";
  const int from = place(std::max(ratio.low, low)), to = place(std::min(ratio.high, high));
  for (int i = from; i <= to; ++i) at(i) = "─";
  at(from) = ratio.low < low ? "<" : "├";
  at(to) = ratio.high > high ? ">" : "┤";
  at(place(std::clamp(ratio.value, low, high))) = "●";
  return joined(cells);
}

std::string Axis::labels() const {
  const std::string left = fmt::format("{:.2g}x", low), right = fmt::format("{:.2g}x", high), one = "1x";
  std::string text(static_cast<std::size_t>(std::max(width, 1)), ' ');
  const auto put = [&](int at, const std::string& label) {
    const int from = std::clamp(at, 0, std::max(0, width - static_cast<int>(label.size())));
    const auto begin = static_cast<std::size_t>(std::max(0, from - 1));
    // Labels that would touch are left out; the first put stays.
    if (text.find_first_not_of(' ', begin) < begin + label.size() + 2) return;
    text.replace(static_cast<std::size_t>(from), label.size(), label);
  };
  put(place(1), one);
  put(0, left);
  put(width, right);
  return text.substr(0, static_cast<std::size_t>(std::max(width, 1)));
}

Axis axis_of(const std::vector<Estimate>& ratios, int width) {
  double low = 1, high = 1;
  for (const Estimate& r : ratios) {
    if (!usable(r)) continue;
    low = std::min(low, std::max(r.low, r.value / kMostReach));
    high = std::max(high, std::min(r.high, r.value * kMostReach));
  }
  return {.low = low / kMargin, .high = high * kMargin, .width = std::max(width, 8)};
}

}  // namespace aisp::tui
