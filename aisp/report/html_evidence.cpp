// SPDX-License-Identifier: Apache-2.0
// The parts of a cell's section that answer "how do you know?": findings, attempts, evidence.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "aisp/report/format.h"
#include "aisp/report/html_cell.h"
#include "aisp/report/summary.h"
#include "aisp/report/svg.h"

namespace aisp::report {
namespace {

/// The same words about several variants are one row.
struct FindingRow {
  Finding finding;
  std::vector<std::string> variants;
};

std::vector<FindingRow> finding_rows(const CellResult& cell) {
  std::vector<FindingRow> rows;
  for (const VariantResult& variant : cell.variants) {
    for (const Finding& finding : variant.findings) {
      const auto same = std::ranges::find_if(rows, [&](const FindingRow& row) {
        return row.finding.guard == finding.guard && row.finding.level == finding.level &&
               row.finding.because == finding.because && row.finding.waived == finding.waived;
      });
      if (same == rows.end()) {
        rows.push_back({finding, {visible(variant.name)}});
      } else {
        same->variants.push_back(visible(variant.name));
      }
    }
  }
  std::ranges::stable_sort(
      rows, [](const FindingRow& a, const FindingRow& b) { return a.finding.level > b.finding.level; });
  return rows;
}

Judgement judgement_of(const Finding& finding) {
  Judgement made;
  made.text = std::string(name_of(finding.level)) + (finding.waived ? ", waived" : "");
  made.tone = finding.level == Level::reject    ? (finding.waived ? Tone::caution : Tone::bad)
              : finding.level == Level::unknown ? Tone::caution
                                                : Tone::plain;
  return made;
}

std::string level_badge(const Finding& finding) {
  const Judgement verdict = judgement_of(finding);
  const char* css = verdict.tone == Tone::bad ? "bad" : verdict.tone == Tone::caution ? "caution" : "plain";
  return fmt::format("<span class=\"badge {}\">{}</span>", css, verdict.text);
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// Every fact of the evidence as text, under its path; an unknown is an empty text.
struct Flatten {
  std::map<std::string, std::vector<std::string>>& facts;
  std::vector<std::string>& order;
  std::size_t column, columns;

  void put(const std::string& path, std::string text) {
    auto [at, added] = facts.try_emplace(path, columns);
    if (added) order.push_back(path);
    at->second[column] = std::move(text);
  }

  template <class T>
  void visit(const std::string& path, const T& value) {
    if constexpr (requires { T::fields(value, [](const char*, const auto&) {}); }) {
      T::fields(value, [&](const char* name, const auto& field) {
        visit(path.empty() ? name : path + "." + name, field);
      });
    } else if constexpr (IsOptional<T>::value) {
      value ? visit(path, *value) : put(path, "");
    } else if constexpr (std::is_same_v<T, std::string>) {
      put(path, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      put(path, value ? "yes" : "no");
    } else if constexpr (std::is_enum_v<T>) {
      put(path, std::string(name_of(value)));
    } else if constexpr (std::is_arithmetic_v<T>) {
      const bool time = path.ends_with("_ns");
      put(path, time ? format_time(static_cast<double>(value)) : format_number(static_cast<double>(value)));
    } else {
      put(path, listed(value));
    }
  }
};

bool says_something(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts,
                             [](const std::string& t) { return !t.empty() && t != "0" && t != "0.00 ns"; });
}

}  // namespace

std::string html_findings(const CellResult& cell) {
  const std::vector<FindingRow> rows = finding_rows(cell);
  if (rows.empty()) return "";
  const auto rejects =
      std::ranges::count_if(rows, [](const FindingRow& r) { return r.finding.level == Level::reject; });
  const auto passes =
      std::ranges::count_if(rows, [](const FindingRow& r) { return r.finding.level == Level::pass; });
  std::string html = fmt::format(
      "<details{}><summary>What the guards found <span class=\"count\">{} rejecting, {} other, {} "
      "passed</span></summary>\n",
      rejects > 0 ? " open" : "", rejects, static_cast<long>(rows.size()) - rejects - passes, passes);
  html +=
      "<table "
      "class=\"rows\"><thead><tr><th>guard</th><th>says</th><th>of</th><th>because</th></tr></"
      "thead><tbody>\n";
  for (const FindingRow& row : rows) {
    std::string because = escape_markup(row.finding.because);
    if (!row.finding.hint.empty())
      because += "<br><small>Hint: " + escape_markup(row.finding.hint) + "</small>";
    const bool all = row.variants.size() > 2 &&
                     row.variants.size() ==
                         static_cast<std::size_t>(std::ranges::count_if(
                             cell.variants, [](const VariantResult& v) { return !v.findings.empty(); }));
    html += "<tr>" + html_td("guard", "<code>" + escape_markup(row.finding.guard) + "</code>") +
            html_td("says", level_badge(row.finding)) +
            html_td("of", all ? "every variant" : escape_markup(listed(row.variants))) +
            html_td("because", because, "note") + "</tr>\n";
  }
  return html + "</tbody></table></details>\n";
}

std::string html_attempts(const CellResult& cell) {
  if (cell.attempts.empty()) return "";
  const bool bad =
      std::ranges::any_of(cell.attempts, [](const AttemptRecord& a) { return a.status != "finished"; });
  std::string html = fmt::format(
      "<details{}><summary>Attempts and seeds <span class=\"count\">{} worker process{}</span>"
      "</summary>\n",
      bad ? " open" : "", cell.attempts.size(), cell.attempts.size() == 1 ? "" : "es");
  html +=
      "<table class=\"rows\"><thead><tr><th>attempt</th><th>ended</th><th "
      "class=\"r\">rounds</th><th>started</th>"
      "<th>finished</th><th>seed</th><th>committed to</th></tr></thead><tbody>\n";
  for (const AttemptRecord& a : cell.attempts) {
    std::string ended = escape_markup(a.status);
    if (!a.variant.empty()) ended += " in <b>" + escape_markup(a.variant) + "</b>";
    std::string detail;
    // Line by line, so that line breaks survive and everything else is made visible.
    for (std::string_view rest = a.detail; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      detail += escape_markup(rest.substr(0, end)) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!detail.empty()) ended += "<pre>" + detail + "</pre>";
    html += "<tr>" + html_td("attempt", attempt_text(a.attempt)) + html_td("ended", ended, "note") +
            html_td("rounds", std::to_string(a.rounds), "r num") +
            html_td("started", escape_markup(a.started), "num") +
            html_td("finished", escape_markup(a.finished), "num") +
            html_td("seed", "<code>" + escape_markup(a.seed) + "</code>", "hash") +
            html_td("committed to", "<code>" + escape_markup(a.seed_commitment) + "</code>", "hash") +
            "</tr>\n";
  }
  return html + "</tbody></table></details>\n";
}

std::string html_evidence(const CellResult& cell) {
  std::vector<const VariantResult*> shown;
  for (const VariantResult& variant : cell.variants) {
    if (variant.skipped.empty()) shown.push_back(&variant);
  }
  if (shown.empty()) return "";
  std::map<std::string, std::vector<std::string>> facts;
  std::vector<std::string> order;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    Flatten{facts, order, i, shown.size()}.visit("", shown[i]->evidence);
  }
  std::string html =
      "<details><summary>Evidence <span class=\"count\">what the probes recorded; zeros and unknowns left out"
      "</span></summary>\n<div class=\"scroll\"><table class=\"plain\"><thead><tr><th>fact</th>";
  for (const VariantResult* variant : shown)
    html += "<th class=\"r\">" + escape_markup(variant->name) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const std::string& path : order) {
    const std::vector<std::string>& texts = facts[path];
    if (!says_something(texts) || path == "workload" || path == "variant") continue;
    html += "<tr><td><code>" + path + "</code></td>";
    for (const std::string& text : texts) {
      html += "<td class=\"r num\">" + (text.empty() ? "<i>unknown</i>" : escape_markup(text)) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div></details>\n";
}

}  // namespace aisp::report
