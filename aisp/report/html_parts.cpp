// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/html_parts.h"

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/html_style.h"
#include "aisp/report/svg.h"

namespace aisp::report {

std::string html_head(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
         "href=\"data:,\">\n<title>" +
         escape_markup(title) + "</title>\n<style>" + std::string(kHtmlStyle) + "</style>\n</head>\n<body>\n";
}

std::string html_entry(const char* name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string html_tally(const RunSummary& summary) {
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

std::string html_run_entries(const RunRecord& run, const RunSummary& summary) {
  const Manifest& manifest = run.manifest;
  const std::string until = run.finished.empty() ? "" : " to " + escape_markup(run.finished);
  std::string html =
      html_entry("Date", escape_markup(run.started) + until +
                             (run.status == "finished" ? "" : " (" + escape_markup(run.status) + ")"));
  html += html_entry("Command",
                     manifest.command.empty() ? "" : "<code>" + escape_markup(manifest.command) + "</code>");
  const RunConfig& config = manifest.config;
  html += html_entry(
      "Policy",
      fmt::format("{}; worker {}; {} attempts; α = {}; practical equivalence ±{}", name_of(config.policy),
                  summary.worker_modes.empty() ? name_of(config.worker) : listed(summary.worker_modes),
                  config.attempts, format_number(config.alpha), format_percent(100 * config.equivalence)));
  html += html_entry("Calibration", escape_markup(aa_text(summary)));
  html += html_entry("Waived", escape_markup(listed(summary.waived)));
  html += html_entry("Unknown here", escape_markup(listed(summary.unknown)));
  html += html_entry("Configuration", manifest.config_hash.empty()
                                          ? ""
                                          : "<code>" + escape_markup(manifest.config_hash) + "</code>");
  html += html_entry("Program", manifest.version.empty() ? "" : "aisp " + escape_markup(manifest.version));
  return html;
}

std::string html_machine(const RunRecord& run) {
  std::string html = "<dl>\n";
  for (const Fact& fact : run.manifest.facts) {
    html += "<dt>" + escape_markup(fact.name) + "</dt><dd>" +
            (fact.value ? escape_markup(*fact.value) : "<i>could not be established</i>") + "</dd>\n";
  }
  return html + "</dl>\n";
}

}  // namespace aisp::report
