// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/lessons.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "aisp/core/ceiling.h"
#include "aisp/report/format.h"
#include "aisp/report/ladder.h"
#include "aisp/report/markdown.h"
#include "aisp/report/row.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

using Cells = std::vector<const CellResult*>;

constexpr std::string_view kStallPrefix = "stall: ";
constexpr std::size_t kStallsShown = 2;

/// A counter's column: its key in the record, its heading, and how it is written.
struct Column {
  std::string_view key, heading;
  std::string (*text)(double);
};

std::string share(double value) { return format_percent(100 * value); }
std::string plain(double value) { return fmt::format("{:.3g}", value); }

// "tensor_instructions" has no column: it counts more than products (device/gpu/counters.h).
constexpr std::array kColumns{
    Column{"dram_read_bytes", "DRAM read", format_bytes},
    Column{"dram_write_bytes", "DRAM written", format_bytes},
    Column{"l2_hit_rate", "L2 hits", share},
    Column{"load_sectors_per_request", "sectors a load", plain},
    Column{"store_sectors_per_request", "sectors a store", plain},
    Column{"occupancy", "occupancy", share},
    Column{"instructions", "instructions", plain},
};

std::optional<double> counter(const VariantResult& variant, std::string_view key) {
  const auto found = std::ranges::find(variant.counters, key, &std::pair<std::string, double>::first);
  return found == variant.counters.end() ? std::nullopt : std::optional(found->second);
}

/// What warps waited for most, largest first as recorded.
std::string waits(const VariantResult& variant) {
  std::string text;
  std::size_t shown = 0;
  for (const auto& [name, value] : variant.counters) {
    if (!name.starts_with(kStallPrefix) || shown++ >= kStallsShown) continue;
    text +=
        (text.empty() ? "" : ", ") + escape_markdown(name.substr(kStallPrefix.size())) + " " + share(value);
  }
  return text;
}

/// "copy of memory" as "copying memory". A kind that is not listed keeps its name.
std::string ceiling_words(std::string name) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"read of ", "reading "},           {"write of ", "writing "},
      {"copy of ", "copying "},           {"fma of ", "fma units in "},
      {"matmul of ", "matrix units in "}, {"h2d_pinned of ", "copies over the "}};
  for (const auto& [kind, words] : kWords) {
    if (name.starts_with(kind)) name.replace(0, kind.size(), words);
  }
  return name;
}

/// The share, and of what: a percentage of reading, of copying and of matrix units are different claims.
std::string ceiling_of(const CellResult& cell, const VariantResult& variant, const VariantRow& row) {
  if (row.ceiling == kUnknownText) return row.ceiling;
  const std::string words =
      variant.of_paired ? variant.of_paired->against : ceiling_words(bound_on(cell.device, variant.ceiling));
  return row.ceiling + (words.empty() ? "" : " of " + escape_markdown(visible(words)));
}

std::string anchor_of(const VariantResult& variant, const VariantRow& row) {
  return row.anchor == kUnknownText ? row.anchor : format_ratio(*variant.of_anchor);
}

std::string ladder_of(const CellResult& cell) {
  std::string text = markdown_line({"rung", figure_name(cell), ratio_name(cell.goal), "ceiling", "× anchor",
                                    "verdict", "what it changes"});
  text += "|:--|:--|:--|:--|:--|:--|:--|\n";
  for (const VariantResult& variant : cell.variants) {
    const VariantRow row = variant_row(cell, variant);
    text += markdown_line({escape_markdown(row.name) + (row.mark.empty() ? "" : " (" + row.mark + ")"),
                           row.interval, row.speedup, ceiling_of(cell, variant, row), anchor_of(variant, row),
                           escape_markdown(row.verdict.text),
                           escape_markdown(row.skipped.empty() ? row.note : row.skipped)});
  }
  return text;
}

/// Only the columns that some rung has a count for: unknown is not zero.
std::string counters_of(const CellResult& cell) {
  std::vector<const Column*> known;
  for (const Column& column : kColumns) {
    if (std::ranges::any_of(cell.variants,
                            [&](const VariantResult& v) { return counter(v, column.key).has_value(); }))
      known.push_back(&column);
  }
  if (known.empty()) return "";
  std::vector<std::string> headings{"rung"};
  for (const Column* column : known) headings.emplace_back(column->heading);
  headings.emplace_back("warps waited for");
  std::string text = "\nCounted by the device for one call:\n\n" + markdown_line(headings) + "|:--|";
  for (std::size_t i = 0; i < known.size(); ++i) text += "--:|";
  text += ":--|\n";
  for (const VariantResult& variant : cell.variants) {
    if (variant.counters.empty()) continue;
    std::vector<std::string> cells{escape_markdown(variant.name)};
    for (const Column* column : known) {
      const auto value = counter(variant, column->key);
      cells.push_back(value ? column->text(*value) : std::string(kUnknownText));
    }
    cells.push_back(waits(variant));
    text += markdown_line(cells);
  }
  return text;
}

std::string reasons_text(const CellResult& cell) {
  std::string text;
  for (const Reason& reason : reasons_of(cell))
    text += "\n- " + escape_markdown(reason.subject + " " + reason.verdict.text + ": " + reason.text);
  return text.empty() ? "" : text + "\n";
}

std::string file_stem(const CellResult& cell) {
  std::string name = cell.workload + (cell.device.starts_with("cpu") ? "-cpu" : "");
  for (char& c : name) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!safe) c = '-';
  }
  return name;
}

std::string page_of(const RunRecord& run, const Cells& cells, const std::string& picture) {
  const CellResult& first = *cells.front();
  std::string text =
      fmt::format("# {}: {}\n\n", escape_markdown(first.workload), escape_markdown(first.title));
  text += fmt::format("{} on {}, {}, aisp {}.\n", escape_markdown(first.device),
                      escape_markdown(run.manifest.hardware), escape_markdown(run.started.substr(0, 10)),
                      escape_markdown(run.manifest.version));
  if (!picture.empty()) text += fmt::format("\n![times better than the baseline, by size]({})\n", picture);
  for (const CellResult* cell : cells) {
    text += fmt::format("\n## {}\n\n{}\n\n", escape_markdown(cell->parameters),
                        escape_markdown(cell_facts(*cell)));
    text += ladder_of(*cell) + counters_of(*cell) + reasons_text(*cell);
  }
  return text;
}

}  // namespace

std::vector<LessonPage> render_lessons(const RunRecord& run) {
  std::vector<std::string> order;
  std::map<std::string, Cells> by_page;
  for (const CellResult& cell : run.cells) {
    const std::string stem = file_stem(cell);
    if (!by_page.contains(stem)) order.push_back(stem);
    by_page[stem].push_back(&cell);
  }
  std::vector<LessonPage> pages;
  for (const std::string& stem : order) {
    const Cells& cells = by_page[stem];
    const std::string picture = plot_sweep(cells);
    pages.push_back({stem + ".md", page_of(run, cells, picture.empty() ? "" : stem + ".svg")});
    if (!picture.empty()) pages.push_back({stem + ".svg", picture});
  }
  return pages;
}

}  // namespace aisp::report
