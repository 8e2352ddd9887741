// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/html.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/html_cell.h"
#include "aisp/report/html_style.h"
#include "aisp/report/plots.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

std::string entry(const char* name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string tally(const RunSummary& summary) {
  struct Kind {
    Validity validity;
    const char* css;
  };
  std::string html = fmt::format("<div class=\"tally\"><span class=\"badge\">{} cell{}</span>", summary.cells,
                                 summary.cells == 1 ? "" : "s");
  for (const Kind kind : {Kind{Validity::valid, "good"},
                          {Validity::unproven, "caution"},
                          {Validity::invalid, "bad"},
                          {Validity::failed, "bad"}}) {
    const int count = summary.by_validity[static_cast<std::size_t>(kind.validity)];
    if (count > 0)
      html += fmt::format("<span class=\"badge {}\">{} {}</span>", kind.css, count, name_of(kind.validity));
  }
  if (summary.rejected_variants > 0) {
    html += fmt::format("<span class=\"badge\">{} variant{} rejected</span>", summary.rejected_variants,
                        summary.rejected_variants == 1 ? "" : "s");
  }
  if (summary.skipped_variants > 0)
    html += fmt::format("<span class=\"badge\">{} skipped</span>", summary.skipped_variants);
  return html + "</div>\n";
}

std::string header(const RunRecord& run) {
  const Manifest& manifest = run.manifest;
  const RunSummary summary = summarise(run);
  std::string html = "<header>\n<h1>aisp run <code>" + escape_markup(run.id) + "</code></h1>\n";
  html += "<p class=\"lead\">" + escape_markup(manifest.hardware) + "</p>\n" + tally(summary) + "<dl>\n";
  const std::string until = run.finished.empty() ? "" : " to " + escape_markup(run.finished);
  html += entry("Date", escape_markup(run.started) + until +
                            (run.status == "finished" ? "" : " (" + escape_markup(run.status) + ")"));
  html += entry("Command",
                manifest.command.empty() ? "" : "<code>" + escape_markup(manifest.command) + "</code>");
  const RunConfig& config = manifest.config;
  html += entry(
      "Policy",
      fmt::format("{}; worker {}; {} attempts; α = {}; practical equivalence ±{}", name_of(config.policy),
                  summary.worker_modes.empty() ? name_of(config.worker) : listed(summary.worker_modes),
                  config.attempts, format_number(config.alpha), format_percent(100 * config.equivalence)));
  html += entry("Calibration", escape_markup(aa_text(summary)));
  html += entry("Waived", escape_markup(listed(summary.waived)));
  html += entry("Unknown here", escape_markup(listed(summary.unknown)));
  html +=
      entry("Configuration",
            manifest.config_hash.empty() ? "" : "<code>" + escape_markup(manifest.config_hash) + "</code>");
  html += entry("Program", manifest.version.empty() ? "" : "aisp " + escape_markup(manifest.version));
  return html + "</dl>\n</header>\n";
}

/// Ends of the scale that all summary rows share: every believable interval and 1.
std::pair<double, double> shared_scale(const std::vector<CellRow>& rows) {
  double low = 0.9;
  double high = 1.1;
  for (const CellRow& row : rows) {
    if (row.shown == nullptr || !row.shown->speedup || row.variant.speedup == kUnknownText) continue;
    const RatioEstimate& r = *row.shown->speedup;
    if (std::isfinite(r.low) && r.low > 0) low = std::min(low, r.low);
    if (std::isfinite(r.high)) high = std::max(high, std::max(r.high, r.ratio));
  }
  return {low, high};
}

std::string summary_table(const RunRecord& run) {
  std::vector<CellRow> rows;
  for (const CellResult& cell : run.cells) rows.push_back(cell_row(cell));
  const auto [low, high] = shared_scale(rows);
  std::string html =
      "<table class=\"rows\"><thead><tr><th>workload</th><th class=\"r\">baseline</th><th>best "
      "variant</th><th>time</th>"
      "<th>" +
      ratio_name(rows) +
      " (log scale)</th><th class=\"r\">of ceiling</th><th class=\"r\">× of anchor</th><th "
      "class=\"r\">memory</th>"
      "<th>verdict</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellRow& row = rows[i];
    const VariantRow& best = row.variant;
    std::string workload =
        fmt::format("<a href=\"#cell-{}\"><b>{}</b></a><br><span class=\"size\">{}{}</span>", i,
                    escape_markup(row.workload), escape_markup(row.parameters),
                    row.goal.empty() ? "" : "; goal: " + row.goal);
    std::string speedup = best.speedup;
    if (row.shown != nullptr && row.shown->speedup && best.speedup != kUnknownText) {
      speedup += plot_interval(*row.shown->speedup, low, high, run.manifest.config.equivalence);
    }
    html += fmt::format("<tr{}>", row.reasons.empty() ? "" : " class=\"has-why\"");
    html += html_td("workload", workload) + html_td("baseline", row.baseline, "r num") +
            html_td("best variant", escape_markup(best.name), "name") +
            html_td("time", best.interval, "num") + html_td(row.ratio_name.c_str(), speedup, "num") +
            html_td("of ceiling", best.ceiling, "r num") + html_td("× of anchor", best.anchor, "r num") +
            html_td("memory", best.memory, "r num") + html_td("verdict", html_badge(row.verdict)) + "</tr>\n";
    if (!row.reasons.empty())
      html += "<tr class=\"why\"><td colspan=\"9\">" + html_reasons(row.reasons) + "</td></tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string machine(const RunRecord& run) {
  if (run.manifest.facts.empty()) return "";
  std::string html = "<section>\n<h2>Machine and program</h2>\n<dl>\n";
  for (const Fact& fact : run.manifest.facts) {
    html += "<dt>" + escape_markup(fact.name) + "</dt><dd>" +
            (fact.value ? escape_markup(*fact.value) : "<i>could not be established</i>") + "</dd>\n";
  }
  return html + "</dl>\n</section>\n";
}

}  // namespace

std::string render_html(const RunRecord& run) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>aisp ";
  html +=
      escape_markup(run.id) + "</title>\n<style>" + std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n";
  html += header(run) + "<main>\n";
  html += run.cells.empty() ? "<p>This run has no cells.</p>\n" : summary_table(run);
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    html += html_cell(run.cells[i], i, run.manifest.config.equivalence);
  }
  html +=
      machine(run) + "</main>\n<footer>" + escape_markup(summary_line(run)) + "</footer>\n</body>\n</html>\n";
  return html;
}

}  // namespace aisp::report
