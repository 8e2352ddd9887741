// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/html_cell.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/ladder.h"
#include "aisp/report/plots.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

std::string_view tone_class(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::caution:
      return "caution";
    case Tone::bad:
      return "bad";
    case Tone::plain:
      break;
  }
  return "plain";
}

std::string_view sign_of(const std::string& verdict) {
  if (verdict.starts_with("faster") || verdict.starts_with("smaller")) return "▲";
  if (verdict.starts_with("slower") || verdict.starts_with("larger")) return "▼";
  if (verdict.starts_with("equivalent")) return "=";
  if (verdict.starts_with("inconclusive") || verdict.starts_with("unproven")) return "?";
  if (verdict.starts_with("valid")) return "✓";
  if (verdict.starts_with("skipped")) return "–";
  return "✕";
}

std::string meter(const std::string& text, const std::optional<double>& percent) {
  if (!percent || text == kUnknownText) return text;
  const double filled = *percent >= 0 ? std::min(*percent, 100.0) : 0;
  return fmt::format("<span class=\"meter\" style=\"--part:{:.0f}%\">{}</span>", filled, escape_markup(text));
}

std::string ladder_table(const CellResult& cell) {
  std::vector<VariantRow> rows;
  for (const VariantResult& variant : cell.variants) rows.push_back(variant_row(cell, variant));
  // A column nobody could fill is noise.
  const auto known = [&](std::string VariantRow::* text) {
    return std::ranges::any_of(rows, [&](const VariantRow& row) { return row.*text != kUnknownText; });
  };
  const bool ceiling = known(&VariantRow::ceiling);
  const bool anchor = known(&VariantRow::anchor);
  const bool memory = known(&VariantRow::memory);
  const std::string compared = figure_name(cell), ratio = ratio_name(cell.goal);
  std::string html =
      "<table class=\"rows\"><thead><tr><th>variant</th><th>" + compared + "</th><th>" + ratio + "</th>";
  if (ceiling) html += "<th class=\"r\">of ceiling</th>";
  if (anchor) html += "<th class=\"r\">× of anchor</th>";
  if (memory) html += "<th class=\"r\">peak memory</th>";
  html += "<th>verdict</th><th>note</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const VariantResult& variant = cell.variants[i];
    const VariantRow& row = rows[i];
    std::string name = "<b>" + escape_markup(row.name) + "</b>";
    if (!row.mark.empty()) name += " <span class=\"mark\">" + row.mark + "</span>";
    if (&variant == cell.best()) name += " <span class=\"mark\">best</span>";
    std::string note = escape_markup(row.skipped.empty() ? row.note : row.skipped);
    if (!row.details.empty()) {
      note += (note.empty() ? "" : "<br>") + ("<small>" + escape_markup(row.details) + "</small>");
    }
    html += "<tr>" + html_td("variant", name, "name") + html_td(compared.c_str(), row.interval, "num");
    html += html_td(ratio.c_str(), row.speedup, "num");
    if (ceiling) {
      const std::string bound = variant.of_paired ? variant.of_paired->against : variant.ceiling;
      const auto percent =
          variant.of_paired ? std::optional(100 * variant.of_paired->ratio) : variant.percent_of_ceiling;
      const std::string title = bound.empty() ? "" : " title=\"" + escape_markup(visible(bound)) + "\"";
      const std::string bar = "<span" + title + ">" + meter(row.ceiling, percent) + "</span>";
      html += html_td("of ceiling", row.ceiling == kUnknownText ? row.ceiling : bar, "r num");
    }
    if (anchor) html += html_td("× of anchor", row.anchor, "r num");
    if (memory) html += html_td("peak memory", row.memory, "r num");
    html += html_td("verdict", html_badge(row.verdict)) + html_td("note", note, "note") + "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string figure(const std::string& svg, const char* css, const std::string& caption) {
  if (svg.empty()) return "";
  return fmt::format(
      "<figure class=\"{}\"><figcaption>{}</figcaption><div class=\"scroll\">{}</div></figure>\n", css,
      caption, svg);
}

std::string figures(const CellResult& cell, double equivalence) {
  std::string html = "<div class=\"figures\">\n";
  html += figure(plot_times(cell), "half",
                 "<b>Time per call.</b> Every kept sample; the bar is the median, the box its interval.");
  html += figure(
      plot_speedups(cell, equivalence), "half",
      fmt::format("<b>Against the baseline.</b> Intervals; shaded: within ±{}, practically equivalent.",
                  format_percent(100 * equivalence)));
  html += figure(plot_latencies(cell), "whole",
                 "<b>Latency of the items.</b> Share answered within a time, all samples.");
  html += figure(plot_rounds(cell), "whole",
                 "<b>Rounds in order.</b> Each panel has its own axis; a slope is drift, a step between "
                 "colours depends on the "
                 "attempt. A cross is a round that a declared rule discarded.");
  return html + "</div>\n";
}

const char* said_of(Calibration calibration) {
  switch (calibration) {
    case Calibration::called:
      return "a difference was called: distrust small differences in this cell";
    case Calibration::too_wide:
      return "too wide to tell: differences of practical size cannot be seen here";
    case Calibration::holds:
      break;
  }
  return "no difference called, as it should be";
}

std::string calibration(const CellResult& cell, double equivalence) {
  if (!cell.aa) return "";
  return fmt::format(
      "<p class=\"facts\">A/A calibration ({} against itself): <b class=\"num\">{}</b>, {}.</p>\n",
      escape_markup(visible(cell.aa->against)), format_ratio(*cell.aa),
      said_of(calibration_of(*cell.aa, equivalence)));
}

}  // namespace

std::string html_td(const char* label, const std::string& inner, const char* css) {
  const bool none = inner.empty() || inner == kUnknownText;  // left out of the cards on narrow screens
  return fmt::format("<td data-label=\"{}\" class=\"{}{}\">{}</td>", label, css, none ? " none" : "",
                     inner.empty() ? "&nbsp;" : inner);
}

std::string html_badge(const Judgement& verdict) {
  return fmt::format("<span class=\"badge {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
                     tone_class(verdict.tone), sign_of(verdict.text), escape_markup(verdict.text));
}

std::string html_reasons(const std::vector<Reason>& reasons) {
  if (reasons.empty()) return "";
  std::string html = "<ul class=\"reasons\">";
  for (const Reason& reason : reasons) {
    html += fmt::format("<li class=\"{}\"><b>{} {}</b>{}{}</li>", tone_class(reason.verdict.tone),
                        escape_markup(reason.subject), escape_markup(reason.verdict.text),
                        reason.text.empty() ? "" : ": ", escape_markup(reason.text));
  }
  return html + "</ul>\n";
}

std::string html_cell(const CellResult& cell, std::size_t index, double equivalence, const std::string& run) {
  const CellRow row = cell_row(cell);
  std::string html =
      fmt::format("<section id=\"cell-{}\">\n<h2>{} <span class=\"size\">{}</span> {}</h2>\n", index,
                  escape_markup(cell.workload), escape_markup(cell.parameters), html_badge(row.verdict));
  if (!cell.title.empty()) html += "<p class=\"lead\">" + escape_markup(cell.title) + "</p>\n";
  html += "<p class=\"facts\">" + escape_markup(cell_facts(cell)) + (run.empty() ? "" : "<br>" + run) +
          "</p>\n" + html_reasons(row.reasons);
  if (!cell.variants.empty()) html += ladder_table(cell);
  html += figures(cell, equivalence) + calibration(cell, equivalence);
  return html + html_findings(cell) + html_attempts(cell) + html_evidence(cell) + "</section>\n";
}

}  // namespace aisp::report
