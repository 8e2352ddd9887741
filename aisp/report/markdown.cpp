// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/markdown.h"

#include <vector>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/ladder.h"
#include "aisp/report/row.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

/// A name as code where that is safe: inside a code span nothing is interpreted but the backtick, and the bar
/// that ends a table cell.
std::string code(std::string_view text) {
  const std::string shown = visible(text);
  if (shown.empty()) return "";
  if (shown == kUnknownText) return shown;
  if (shown.find_first_of("`|<>&\\") != std::string::npos) return escape_markdown(shown);
  return "`" + shown + "`";
}

std::string strong(const Judgement& verdict) {
  const std::string text = escape_markdown(verdict.text);
  return verdict.tone == Tone::plain ? text : "**" + text + "**";
}

/// `where` has a word for each row that tells its run from the others; without any there is no such column.
std::string summary_table(const std::vector<CellRow>& rows, const std::vector<std::string>& where = {},
                          const char* where_name = "") {
  const auto line = [&](std::vector<std::string> cells, const std::string& own) {
    if (!where.empty()) cells.insert(cells.begin() + 2, own);
    return markdown_line(cells);
  };
  std::string text = line({"workload", "size", "baseline", "best", "time", ratio_name(rows), "ceiling",
                           "× anchor", "memory", "verdict"},
                          where_name);
  text += std::string("|:--|:--|") + (where.empty() ? "" : ":--|") + "--:|:--|:--|:--|--:|--:|--:|:--|\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellRow& row = rows[i];
    const VariantRow& best = row.variant;
    text += line({code(row.workload) + (row.goal.empty() ? "" : " (" + row.goal + ")"), code(row.parameters),
                  row.baseline, code(best.name), best.interval, best.speedup, best.ceiling, best.anchor,
                  best.memory, strong(row.verdict)},
                 where.empty() ? "" : where[i]);
  }
  return text;
}

/// What was not accepted. `where` as in the table.
std::string reasons_list(const std::vector<CellRow>& rows, const std::vector<std::string>& where = {}) {
  std::string reasons;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellRow& row = rows[i];
    for (const Reason& reason : row.reasons) {
      reasons +=
          fmt::format("- {} {}{}: {} {}{}{}\n", code(row.workload), code(row.parameters),
                      where.empty() ? "" : " (" + where[i] + ")", code(reason.subject),
                      strong(reason.verdict), reason.text.empty() ? "" : ": ", escape_markdown(reason.text));
    }
  }
  return reasons.empty() ? "" : "**Not accepted as it stands**\n\n" + reasons + "\n";
}

std::string footer(const RunRecord& run) {
  return fmt::format("\n{} · {} · {} · config {}\n", code(run.manifest.command), code(run.manifest.hardware),
                     escape_markdown(run.started), code(run.manifest.config_hash.substr(0, 12)));
}

std::string ladder(const CellResult& cell, const std::string& run = "") {
  // A summary is HTML, where backslashes would be shown.
  std::string text = fmt::format("<details><summary><code>{} {}</code>{}</summary>\n\n",
                                 escape_markup(cell.workload), escape_markup(cell.parameters),
                                 run.empty() ? "" : " of run <code>" + escape_markup(run) + "</code>");
  text += escape_markdown(cell_facts(cell)) + "\n\n";
  text += markdown_line({"variant", figure_name(cell), ratio_name(cell.goal), "ceiling", "× anchor", "memory",
                         "verdict", "note"});
  text += "|:--|:--|:--|--:|--:|--:|:--|:--|\n";
  for (const VariantResult& variant : cell.variants) {
    const VariantRow row = variant_row(cell, variant);
    std::string note = escape_markdown(row.skipped.empty() ? row.note : row.skipped);
    if (!row.details.empty()) note += (note.empty() ? "" : "; ") + escape_markdown(row.details);
    text += markdown_line({code(row.name) + (row.mark.empty() ? "" : " (" + row.mark + ")"), row.interval,
                           row.speedup, row.ceiling, row.anchor, row.memory, strong(row.verdict), note});
  }
  return text + "\n</details>\n";
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  const std::string shown = visible(text);
  const std::string_view rest(shown);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "@<!-- -->";  // a mention would notify somebody; entities do not stop the mention filter
    } else if (c == '#') {
      out += "\\#<!-- -->";
    } else if (rest.substr(i).starts_with("://")) {
      out += "&#58;";  // addresses stay text
    } else if (c == '.' && i >= 3 && (rest.substr(i - 3, 3) == "www" || rest.substr(i - 3, 3) == "WWW")) {
      out += "&#46;";
    } else if (std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string render_markdown(const RunRecord& run) {
  std::vector<CellRow> rows;
  for (const CellResult& cell : run.cells) rows.push_back(cell_row(cell));
  std::string text = "## aisp run " + code(run.id) + "\n\n" + escape_markdown(summary_line(run)) + "\n\n";
  if (rows.empty()) return text;
  text += summary_table(rows) + "\n" + reasons_list(rows);
  for (const CellResult& cell : run.cells) text += ladder(cell);
  return text + footer(run);
}

std::string render_markdown(std::span<const ReportedRun> runs) {
  if (runs.size() == 1) return render_markdown(runs.front().run);
  const bool several = machines_of(runs).size() > 1;
  std::vector<CellRow> rows;
  std::vector<std::string> where, ids;
  std::string text = fmt::format("## aisp: {} runs\n\n", runs.size()), ladders, footers;
  for (const ReportedRun& each : runs) {
    const RunRecord& run = each.run;
    const std::string machine = code(run.manifest.hardware);
    text += fmt::format("- run {}, {}{}: {}\n", code(run.id), several ? machine + ", " : "",
                        exit_code_text(each.exit_code), escape_markdown(summary_line(run)));
    for (const CellResult& cell : run.cells) {
      rows.push_back(cell_row(cell));
      where.push_back(several ? machine : code(run.id));
      ids.push_back(code(run.id));
      ladders += ladder(cell, run.id);
    }
    footers += footer(run);
  }
  text += "\n";
  if (rows.empty()) return text;
  text += summary_table(rows, where, several ? "hardware" : "run") + "\n" + reasons_list(rows, ids);
  return text + ladders + footers;
}

}  // namespace aisp::report
