// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/html_cell.h"
#include "aisp/report/html_parts.h"
#include "aisp/report/plots.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

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

}  // namespace

std::string html_summary_table(const std::vector<SummaryRow>& summary, const char* where) {
  std::vector<CellRow> rows;
  for (const SummaryRow& from : summary) rows.push_back(cell_row(*from.cell));
  const auto [low, high] = shared_scale(rows);
  std::string html = "<table class=\"rows\"><thead><tr><th>workload</th>";
  if (where[0] != 0) html += fmt::format("<th>{}</th>", where);
  html +=
      "<th class=\"r\">baseline</th><th>best "
      "variant</th><th>time</th>"
      "<th>" +
      ratio_name(rows) +
      " (log scale)</th><th class=\"r\">of ceiling</th><th class=\"r\">× of anchor</th><th "
      "class=\"r\">memory</th>"
      "<th>verdict</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CellRow& row = rows[i];
    const SummaryRow& from = summary[i];
    const VariantRow& best = row.variant;
    std::string workload =
        fmt::format("<a href=\"#cell-{}\"><b>{}</b></a><br><span class=\"size\">{}{}</span>", i,
                    escape_markup(row.workload), escape_markup(row.parameters),
                    row.goal.empty() ? "" : "; goal: " + row.goal);
    std::string speedup = best.speedup;
    if (row.shown != nullptr && row.shown->speedup && best.speedup != kUnknownText) {
      speedup += plot_interval(*row.shown->speedup, low, high, from.equivalence);
    }
    html += fmt::format("<tr{}>", row.reasons.empty() ? "" : " class=\"has-why\"");
    html += html_td("workload", workload) + (where[0] != 0 ? html_td(where, from.where, "where") : "") +
            html_td("baseline", row.baseline, "r num") +
            html_td("best variant", escape_markup(best.name), "name") +
            html_td("time", best.interval, "num") + html_td(row.ratio_name.c_str(), speedup, "num") +
            html_td("of ceiling", best.ceiling, "r num") + html_td("× of anchor", best.anchor, "r num") +
            html_td("memory", best.memory, "r num") + html_td("verdict", html_badge(row.verdict)) + "</tr>\n";
    if (!row.reasons.empty())
      html += fmt::format("<tr class=\"why\"><td colspan=\"{}\">{}</td></tr>\n", where[0] != 0 ? 10 : 9,
                          html_reasons(row.reasons));
  }
  return html + "</tbody></table>\n";
}

}  // namespace aisp::report
