// SPDX-License-Identifier: Apache-2.0
// Several runs on one page: what each of them is, one table of all cells, then every cell.
#include <fmt/format.h>

#include "aisp/report/html.h"
#include "aisp/report/html_cell.h"
#include "aisp/report/html_parts.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

std::string exit_badge(const std::optional<int>& code) {
  const char* css = !code ? "caution" : *code == 0 ? "good" : *code == 1 || *code == 8 ? "bad" : "caution";
  return fmt::format("<span class=\"badge {}\">{}</span>", css, exit_code_text(code));
}

std::string link_to(const RunRecord& run, std::size_t number) {
  return fmt::format("<a href=\"#run-{}\">{}</a>", number, escape_markup(run.id));
}

RunSummary together(std::span<const ReportedRun> runs) {
  RunSummary all;
  for (const ReportedRun& each : runs) {
    const RunSummary one = summarise(each.run);
    all.cells += one.cells;
    for (std::size_t i = 0; i < all.by_validity.size(); ++i) all.by_validity[i] += one.by_validity[i];
    all.rejected_variants += one.rejected_variants;
    all.skipped_variants += one.skipped_variants;
  }
  return all;
}

std::string header(std::span<const ReportedRun> runs) {
  const std::vector<std::string> machines = machines_of(runs);
  std::string html = fmt::format("<header>\n<h1>aisp: {} runs</h1>\n<p class=\"lead\">", runs.size());
  html += machines.size() == 1 ? escape_markup(machines.front())
                               : fmt::format("{} kinds of machine", machines.size());
  html += "</p>\n" + html_tally(together(runs));
  const std::optional<int> worst = worst_exit_code(runs);
  html += "<p class=\"facts\">" +
          (worst ? fmt::format("Worst exit code: {}", *worst) : "Not of every run the exit code is known") +
          ".</p>\n<div class=\"runs\">\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& run = runs[i].run;
    const RunSummary summary = summarise(run);
    html += fmt::format("<section id=\"run-{}\" class=\"run\">\n<h2>run <code>{}</code> {}</h2>\n", i,
                        escape_markup(run.id), exit_badge(runs[i].exit_code));
    if (machines.size() > 1) html += "<p class=\"lead\">" + escape_markup(run.manifest.hardware) + "</p>\n";
    html += html_tally(summary) + "<dl>\n" + html_run_entries(run, summary) + "</dl>\n</section>\n";
  }
  return html + "</div>\n</header>\n";
}

/// What stands in the column that tells the runs apart.
std::string where(const RunRecord& run, std::size_t number, bool with_machine) {
  const std::string link = link_to(run, number);
  return with_machine ? escape_markup(run.manifest.hardware) + "<br><span class=\"size\">" + link + "</span>"
                      : link;
}

std::string machine(std::span<const ReportedRun> runs) {
  std::string html;
  for (const ReportedRun& each : runs)
    if (!each.run.manifest.facts.empty())
      html += "<details><summary>run " + escape_markup(each.run.id) + " <span class=\"count\">" +
              escape_markup(each.run.manifest.hardware) + "</span></summary>\n" + html_machine(each.run) +
              "</details>\n";
  return html.empty() ? "" : "<section>\n<h2>Machines and programs</h2>\n" + html + "</section>\n";
}

}  // namespace

std::string render_html(std::span<const ReportedRun> runs) {
  if (runs.size() == 1) return render_html(runs.front().run);
  const bool several = machines_of(runs).size() > 1;
  std::vector<SummaryRow> rows;
  std::string cells, lines;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunRecord& run = runs[i].run;
    for (const CellResult& cell : run.cells) {
      const double equivalence = run.manifest.config.equivalence;
      rows.push_back({.cell = &cell, .equivalence = equivalence, .where = where(run, i, several)});
      cells += html_cell(cell, rows.size() - 1, equivalence,
                         "run " + link_to(run, i) + " on " + escape_markup(run.manifest.hardware));
    }
    lines += "<p>" + escape_markup("run " + run.id + ": " + summary_line(run)) + "</p>\n";
  }
  std::string html = html_head(fmt::format("aisp: {} runs", runs.size())) + header(runs) + "<main>\n";
  html += rows.empty() ? "<p>These runs have no cells.</p>\n"
                       : html_summary_table(rows, several ? "hardware" : "run");
  return html + cells + machine(runs) + "</main>\n<footer>" + lines + "</footer>\n</body>\n</html>\n";
}

}  // namespace aisp::report
