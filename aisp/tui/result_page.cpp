// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "aisp/guards/explain.h"
#include "aisp/guards/handbook.h"
#include "aisp/guards/judge.h"
#include "aisp/report/ladder.h"
#include "aisp/report/text.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using report::visible;

Style style_of_level(const Finding& finding) {
  if (finding.waived) return Style::caution;
  switch (finding.level) {
    case Level::reject:
      return Style::bad;
    case Level::unknown:
      return Style::caution;
    case Level::note:
      return Style::plain;
    case Level::pass:
      break;
  }
  return Style::faint;
}

/// What the handbook says to do, where the finding itself says nothing.
std::string to_do(const Finding& finding) {
  if (!finding.hint.empty()) return visible(finding.hint);
  for (const auto& [name, text] : guards::handbook_points(finding.guard))
    if (name == "What to do") return text;
  return "";
}

Lines finding_lines(const Finding& finding, int width) {
  const std::string level = finding.waived ? "waived" : std::string(name_of(finding.level));
  const std::string head = "  " + report::pad(level, 8, report::Align::left);
  const Style style = style_of_level(finding);
  Lines lines = paragraph(visible(finding.guard) + ": " + visible(finding.because), width - 1, style, head,
                          "          ");
  if (finding.level != Level::reject) return lines;
  if (const Guard* guard = guards::find(finding.guard))
    append(lines,
           paragraph(std::string(guard->question), width - 1, Style::plain, "          ", "          "));
  if (const std::string hint = to_do(finding); !hint.empty())
    append(lines, paragraph("to do: " + hint, width - 1, Style::plain, "          ", "                 "));
  return lines;
}

/// Rejections first, then what is unknown or noted, then what passed: the order in which one asks.
Lines guard_lines(const VariantResult& variant, int width) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : variant.findings) findings.push_back(&finding);
  std::ranges::stable_sort(findings, [](const Finding* a, const Finding* b) { return a->level > b->level; });
  Lines lines;
  for (const Finding* finding : findings) append(lines, finding_lines(*finding, width));
  if (!variant.skipped.empty())
    append(lines, paragraph("it did not run here: " + visible(variant.skipped), width - 1, Style::caution,
                            "  ", "  "));
  if (variant.skipped.empty() && findings.empty())
    lines.push_back(line_of("  no guard looked at it: there is no evidence", Style::caution));
  return lines;
}

}  // namespace

Lines result_page(const State& state, Size size) {
  if (!state.open) return {};
  const CellResult& cell = state.open->cell;
  const store::CellSummary& row = state.open->row;
  Lines lines = from_painted(report::render_ladder(cell, size.columns, report::Paint(true)));
  lines.insert(lines.begin() + std::min<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(lines.size())),
               line_of(fmt::format("  run {}, {}, {}", visible(row.run), short_time(row.finished),
                                   visible(row.hardware)),
                       Style::faint));
  for (const std::string& note : cell.notes)
    append(lines, paragraph(visible(note), size.columns, Style::caution, "    └ ", "      "));
  if (cell.variants.empty()) return lines;
  const auto at = static_cast<std::size_t>(
      std::clamp(state.open->variant, 0, static_cast<int>(cell.variants.size()) - 1));
  const VariantResult& variant = cell.variants[at];
  lines.emplace_back();
  lines.push_back(line_of(
      fmt::format("Guards of {} ({} of {} variants)", visible(variant.name), at + 1, cell.variants.size()),
      Style::strong));
  append(lines, guard_lines(variant, size.columns));
  return lines;
}

Lines explain_page(const State& state, Size size) {
  Lines lines;
  const std::string text = guards::explain_guard(state.explained);
  if (text.empty()) {
    return paragraph("This program does not know the guard " + visible(state.explained) +
                         ": the result was judged by another version.",
                     size.columns - 2, Style::caution, "  ", "  ");
  }
  // A label of ten columns, then text that is folded at 106: joined, and folded to this width.
  constexpr std::size_t kLabel = 10;
  std::string label, joined;
  const auto flush = [&] {
    append(lines, paragraph(joined, size.columns - 1, lines.empty() ? Style::strong : Style::plain, label,
                            std::string(label.size(), ' ')));
    label = joined = "";
  };
  for (const Line& line : from_painted(text)) {
    const std::string plain = line.spans.empty() ? "" : line.spans.front().text;
    if (plain.starts_with(std::string(kLabel, ' '))) {
      joined += " " + plain.substr(kLabel);
      continue;
    }
    flush();
    const bool labelled = plain.size() > kLabel && !lines.empty();
    label = labelled ? plain.substr(0, kLabel) : "";
    joined = labelled ? plain.substr(kLabel) : plain;
    if (plain.empty()) lines.emplace_back();
  }
  flush();
  return lines;
}

}  // namespace aisp::tui
