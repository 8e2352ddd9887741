// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/ladder.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/summary.h"

namespace aisp::report {
namespace {

constexpr int kLeastNote = 16;  // a note cut shorter than this says nothing

/// What two columns hold, which depends on the cell's goal.
struct Headings {
  std::string figure, ratio;
};

Grid grid_of(const std::vector<VariantRow>& rows, const Headings& headings, Detail detail, bool memory,
             bool note) {
  const auto column = [&](auto text) {
    std::vector<GridCell> cells;
    for (const VariantRow& row : rows) cells.push_back({text(row)});
    return cells;
  };
  const auto known = [](const std::vector<GridCell>& cells) {
    return std::ranges::any_of(cells,
                               [](const GridCell& c) { return c.text != kUnknownText && !c.text.empty(); });
  };
  Grid grid;
  const auto optional = [&](std::string header, Align align, auto text) {
    if (auto cells = column(text); known(cells)) grid.add(std::move(header), align, std::move(cells));
  };
  grid.add("  variant", Align::left, column([](const VariantRow& r) {
             return "  " + r.name + (r.mark.empty() ? "" : " (" + r.mark + ")");
           }));
  grid.add(headings.figure, Align::left, column([&](const VariantRow& r) {
             return detail == Detail::interval ? r.interval : detail == Detail::spread ? r.spread : r.figure;
           }));
  grid.add(headings.ratio, Align::left, column([](const VariantRow& r) { return r.speedup; }));
  optional("ceiling", Align::right, [](const VariantRow& r) { return r.ceiling; });
  optional("anchor", Align::right, [](const VariantRow& r) { return r.anchor; });
  if (memory) optional("memory", Align::right, [](const VariantRow& r) { return r.memory; });
  std::vector<GridCell> verdicts;
  for (const VariantRow& row : rows) verdicts.push_back({row.verdict.text, row.verdict.tone});
  grid.add("verdict", Align::left, std::move(verdicts));
  if (note) optional("note", Align::left, [](const VariantRow& r) { return r.note; });
  return grid;
}

struct Version {
  Detail detail;
  bool memory, note;
};

struct Fitted {
  Grid grid;
  std::string hidden;  ///< which columns were too wide; empty = none
};

/// The widest version that fits. Notes go before intervals, because the reader can find them in `aisp list`;
/// what else is given up is said.
Fitted fitting_grid(const std::vector<VariantRow>& rows, const Headings& headings, int width,
                    bool has_notes) {
  constexpr Version kVersions[] = {
      {Detail::interval, true, true}, {Detail::spread, true, true},     {Detail::interval, true, false},
      {Detail::spread, true, false},  {Detail::interval, false, false}, {Detail::spread, false, false},
      {Detail::value, true, false},   {Detail::value, false, false},
  };
  for (const Version& v : kVersions) {
    const bool last = &v == std::end(kVersions) - 1;
    Grid grid = grid_of(rows, headings, v.detail, v.memory, false);
    const bool note = v.note && has_notes;
    if (!last && grid.width() + (note ? 2 + kLeastNote : 0) > width) continue;
    if (note) {
      grid = grid_of(rows, headings, v.detail, v.memory, true);
      grid.squeeze(grid.columns() - 1, grid.width() - width, kLeastNote);
    } else if (last) {
      grid.squeeze(0, grid.width() - width, 12);
    }
    std::vector<std::string> hidden;
    const auto differs = [](const VariantRow& r) { return r.figure != r.interval; };
    if (!v.memory &&
        std::ranges::any_of(rows, [](const VariantRow& r) { return r.memory != kUnknownText; })) {
      hidden.emplace_back("memory");
    }
    if (v.detail == Detail::value && std::ranges::any_of(rows, differs)) hidden.emplace_back(kTimeIntervals);
    return {std::move(grid), hidden.empty() ? "" : "Too narrow for: " + listed(hidden) + "."};
  }
  return {};  // the last version always returns
}

/// What timed its variants; nothing on a CPU and in older records.
std::string instruments(const CellResult& cell) {
  std::vector<std::string> names;
  for (const VariantResult& v : cell.variants) {
    if (!v.evidence.timing.instrument) continue;
    const std::string name(name_of(*v.evidence.timing.instrument));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names.empty() ? "" : ", " + listed(names);
}

}  // namespace

std::string cell_facts(const CellResult& cell) {
  std::string text = fmt::format("{}, {}{}, {}-bound", visible(cell.device), name_of(cell.cache),
                                 instruments(cell), name_of(cell.bound));
  if (cell.goal != Goal::speed) text += fmt::format(", goal {}", name_of(cell.goal));
  if (cell.shape != Shape::call) text += fmt::format(", {}", name_of(cell.shape));
  text += fmt::format(", worker {}", name_of(cell.worker));
  if (!cell.rounds.empty()) {
    text +=
        fmt::format(", {} round{} in {} attempt{}", cell.rounds.size(), cell.rounds.size() == 1 ? "" : "s",
                    cell.attempts.size(), cell.attempts.size() == 1 ? "" : "s");
  }
  if (!cell.stopped.empty()) text += ", stopped: " + visible(cell.stopped);
  if (cell.aa) text += ", A/A " + format_ratio(*cell.aa);
  return text;
}

std::string render_reasons(const std::vector<Reason>& reasons, int width, const Paint& paint) {
  std::string text;
  for (const Reason& reason : reasons) {
    const std::string head = reason.subject + " " + reason.verdict.text;
    std::string paragraph = head + (reason.text.empty() ? "" : ": " + reason.text);
    bool first = true;
    for (const std::string& line : wrap(paragraph, width - 6)) {
      text += first ? "    └ " : "      ";
      // Coloured as a whole: the reason belongs to the verdict.
      text += paint.tone(line, reason.verdict.tone) + "\n";
      first = false;
    }
  }
  return text;
}

std::string render_ladder(const CellResult& cell, int width, const Paint& paint) {
  std::vector<VariantRow> rows;
  for (const VariantResult& variant : cell.variants) rows.push_back(variant_row(cell, variant));
  const bool has_notes = std::ranges::any_of(rows, [](const VariantRow& row) { return !row.note.empty(); });

  std::string text =
      paint.bold(shorten(visible(cell.workload) + "  " + visible(cell.parameters), width)) + "\n";
  for (const std::string& line : wrap(cell_facts(cell), width - 2)) text += "  " + paint.dim(line) + "\n";
  if (!rows.empty()) {
    const Headings headings{figure_name(cell), ratio_name(cell.goal)};
    const auto [grid, hidden] = fitting_grid(rows, headings, width, has_notes);
    text += grid.header(paint);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += grid.row(i, paint);
      for (const std::string& line : wrap(rows[i].details, width - 4))
        text += "    " + paint.dim(line) + "\n";
    }
    for (const std::string& line : wrap(hidden, width - 2)) text += "  " + paint.dim(line) + "\n";
  }
  std::vector<Reason> reasons = reasons_of(cell);
  for (const VariantRow& row : rows) {
    if (!row.skipped.empty())
      reasons.push_back({.subject = row.name, .verdict = row.verdict, .text = row.skipped});
  }
  return text + render_reasons(reasons, width, paint);
}

}  // namespace aisp::report
