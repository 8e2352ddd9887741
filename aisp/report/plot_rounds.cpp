// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/plots.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

constexpr double kWidth = 1120, kLeft = 190, kRight = 1100, kPanel = 58, kGap = 12, kTop = 22;
constexpr int kAttemptColours = 4;

/// One variant's rounds: the mean of a round's windows, because both passes saw the same inputs.
struct Panel {
  const VariantResult* variant;
  struct Entry {
    double sum = 0;
    int count = 0;
    int attempt = 0;
  };
  std::map<int, Entry> rounds;
};

Panel panel_of(const VariantResult& variant) {
  Panel panel{&variant, {}};
  const Samples& samples = variant.samples;
  for (std::size_t i = 0; i < samples.size() && i < samples.round.size(); ++i) {
    if (!std::isfinite(samples.ns[i])) continue;
    Panel::Entry& entry = panel.rounds[samples.round[i]];
    entry.sum += samples.ns[i];
    ++entry.count;
    entry.attempt = i < samples.attempt.size() ? samples.attempt[i] : 0;
  }
  return panel;
}

void draw_panel(Svg& svg, const CellResult& cell, const Panel& panel, const Scale& x, double top,
                const std::vector<int>& discarded) {
  std::vector<double> means;
  for (const auto& [round, entry] : panel.rounds) means.push_back(entry.sum / entry.count);
  const Scale y = scale_over(means, top + kPanel, top, false);
  const std::string name = visible(panel.variant->name);
  svg.rect(kLeft, top, kRight - kLeft, kPanel, "panel");
  svg.name(4, top + kPanel / 2, name, 18, "label " + role_of(cell, *panel.variant), "start");
  const auto [least, most] = std::ranges::minmax_element(means);
  svg.text(kLeft - 6, y.at(*most) + 8, format_time(*most), "tick", "end", "slowest round");
  svg.text(kLeft - 6, y.at(*least) + 1, format_time(*least), "tick", "end", "fastest round");
  if (panel.variant->time_ns && std::isfinite(panel.variant->time_ns->value)) {
    const double middle = y.at(panel.variant->time_ns->value);
    svg.line(kLeft, middle, kRight, middle, "unity");
  }
  std::map<std::string, Points> by_class;
  for (const auto& [round, entry] : panel.rounds) {
    const double px = x.at(round);
    const double py = y.at(entry.sum / entry.count);
    if (std::ranges::binary_search(discarded, round)) {
      svg.line(px - 3, py - 3, px + 3, py + 3, "cross");
      svg.line(px - 3, py + 3, px + 3, py - 3, "cross");
      continue;
    }
    by_class[fmt::format("a{}", std::max(0, entry.attempt) % kAttemptColours + 1)].emplace_back(px, py);
  }
  for (const auto& [css, points] : by_class) svg.dots(points, "big " + css, name);
}

/// A boundary and a label where each attempt begins.
void draw_attempts(Svg& svg, const std::vector<Panel>& panels, const Scale& x, double bottom) {
  std::map<int, int> first_round;
  for (const Panel& panel : panels) {
    for (const auto& [round, entry] : panel.rounds) {
      const auto [at, added] = first_round.emplace(entry.attempt, round);
      if (!added) at->second = std::min(at->second, round);
    }
  }
  double free_from = 0;
  for (const auto& [attempt, round] : first_round) {
    const double at = x.at(round - 0.5);
    svg.line(at, kTop - 4, at, bottom, "boundary");
    const std::string text = "attempt " + attempt_text(attempt);
    if (at < free_from) continue;
    const int colour = std::max(0, attempt) % kAttemptColours + 1;
    svg.circle(at + 8, kTop - 10, 3.5, fmt::format("point a{}", colour));
    svg.text(at + 16, kTop - 6, text, "tick");
    free_from = at + 24 + text_width(text);
  }
}

/// What the colours and the signs mean, in one line: with more attempts than colours, some share theirs.
void draw_legend(Svg& svg, const std::vector<Panel>& panels, bool any_discarded, double y) {
  std::map<int, std::string> by_colour;
  std::set<int> attempts;
  for (const Panel& panel : panels)
    for (const auto& [round, entry] : panel.rounds) attempts.insert(std::max(0, entry.attempt));
  for (const int attempt : attempts) {
    std::string& text = by_colour[attempt % kAttemptColours + 1];
    text += (text.empty() ? "attempt " : ", ") + attempt_text(attempt);
  }
  double x = 12;
  for (const auto& [colour, text] : by_colour) {
    const std::string shown = shorten(text, 30);
    svg.circle(x, y - 4, 3.5, fmt::format("point a{}", colour));
    svg.text(x + 8, y, shown, "muted", "start", text);
    x += 8 + text_width(shown) + 20;
  }
  svg.line(x - 4, y - 4, x + 16, y - 4, "unity");
  svg.text(x + 22, y, "the variant's median", "muted");
  if (!any_discarded) return;
  x += 22 + text_width("the variant's median") + 20;
  svg.line(x - 3, y - 7, x + 3, y - 1, "cross");
  svg.line(x - 3, y - 1, x + 3, y - 7, "cross");
  svg.text(x + 8, y, "discarded round", "muted");
}

}  // namespace

std::string plot_rounds(const CellResult& cell) {
  std::vector<Panel> panels;
  std::vector<double> numbers;
  for (const VariantResult& variant : cell.variants) {
    Panel panel = panel_of(variant);
    if (panel.rounds.empty()) continue;
    for (const auto& [round, entry] : panel.rounds) numbers.push_back(round);
    panels.push_back(std::move(panel));
  }
  if (panels.empty()) return "";
  const auto [first, last] = std::ranges::minmax_element(numbers);
  const Scale x{*first - 1, *last + 1, kLeft, kRight, false};
  const double bottom = kTop + (kPanel + kGap) * static_cast<double>(panels.size()) - kGap;
  const std::vector<int> discarded = discarded_rounds(cell);
  Svg svg(kWidth, bottom + 58, "Time of every round, one panel per variant, coloured by attempt");
  double top = kTop;
  for (const Panel& panel : panels) {
    draw_panel(svg, cell, panel, x, top, discarded);
    top += kPanel + kGap;
  }
  draw_attempts(svg, panels, x, bottom);
  draw_axis(svg, x, bottom, bottom, 10, [](double round) { return fmt::format("{:.0f}", round); });
  svg.text((kLeft + kRight) / 2, bottom + 31, "round", "axis-name", "middle");
  draw_legend(svg, panels, !discarded.empty(), bottom + 52);
  return std::move(svg).finish();
}

}  // namespace aisp::report
