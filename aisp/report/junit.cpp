// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/junit.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include <pugixml.hpp>
#include "aisp/report/format.h"

#include "aisp/report/row.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

/// Seconds spent in the timed windows of this variant.
double seconds_of(const VariantResult& variant) {
  double ns = 0;
  for (std::size_t i = 0; i < variant.samples.size(); ++i) {
    const double calls = i < variant.samples.calls.size() ? variant.samples.calls[i] : 1;
    if (std::isfinite(variant.samples.ns[i])) ns += variant.samples.ns[i] * calls;
  }
  return std::isfinite(ns) ? ns * 1e-9 : 0;
}

/// Foreign text of several lines; XML 1.0 cannot hold control characters at all.
std::string lines_of(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line);) out += visible(line) + "\n";
  return out;
}

std::string findings_text(const VariantResult& variant) {
  std::string text;
  for (const Finding& finding : variant.findings) {
    if (finding.level == Level::pass) continue;
    text += fmt::format("{}{}: {}: {}\n", name_of(finding.level), finding.waived ? " (waived)" : "",
                        visible(finding.guard), visible(finding.because));
    if (!finding.hint.empty()) text += "  hint: " + visible(finding.hint) + "\n";
  }
  return text;
}

std::string attempts_text(const CellResult& cell, const VariantResult& variant) {
  std::string text;
  for (const AttemptRecord& attempt : cell.attempts) {
    if (attempt.status == "finished" || attempt.variant != variant.name) continue;
    text += fmt::format("attempt {} {}\n", attempt_text(attempt.attempt), visible(attempt.status)) +
            lines_of(attempt.detail);
  }
  return text;
}

void add_problem(pugi::xml_node node, const char* kind, const char* type, const std::string& message,
                 const std::string& text) {
  pugi::xml_node problem = node.append_child(kind);
  set(problem, "type", type);
  set(problem, "message", message);
  if (!text.empty()) problem.append_child(pugi::node_pcdata).set_value(text.c_str());
}

void add_case(pugi::xml_node suite, const CellResult& cell, const VariantResult& variant) {
  const VariantRow row = variant_row(cell, variant);
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", visible(cell.workload));
  set(node, "name", row.name + " [" + visible(cell.parameters) + "]");
  set(node, "time", fmt::format("{:.6f}", seconds_of(variant)));
  if (!variant.skipped.empty()) {
    set(node.append_child("skipped"), "message", row.skipped);
    return;
  }
  const Finding* finding = decisive_finding(variant);
  const std::string message = finding ? visible(finding->guard) + ": " + visible(finding->because) : "";
  if (variant.validity == Validity::failed) {
    const std::string attempts = attempts_text(cell, variant);
    const std::string first = attempts.substr(0, attempts.find('\n'));
    add_problem(node, "error", "failed", message.empty() ? first : message,
                attempts + findings_text(variant));
  } else if (variant.validity == Validity::invalid) {
    add_problem(node, "failure", "invalid", message, findings_text(variant));
  } else if (variant.validity == Validity::unproven) {
    add_problem(node, "failure", "unproven", message, findings_text(variant));
  }
  const std::string out = fmt::format("{} {}; {} {}; {}", figure_name(cell), row.interval,
                                      ratio_name(cell.goal), row.speedup, row.verdict.text);
  node.append_child("system-out").append_child(pugi::node_pcdata).set_value(out.c_str());
}

/// A cell that was refused or stopped before its first round has no variant to show, and must not look well.
void add_unmeasured(pugi::xml_node suite, const CellResult& cell) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", visible(cell.workload));
  set(node, "name", "not measured [" + visible(cell.parameters) + "]");
  std::string detail;
  for (const AttemptRecord& attempt : cell.attempts) detail += lines_of(attempt.detail);
  add_problem(node, "error", "not measured",
              visible(cell.stopped) + ": " + detail.substr(0, detail.find('\n')), detail);
}

/// A run that did not come to its end proves nothing of what it did not measure, and must not look well.
void add_unfinished(pugi::xml_node root, const RunRecord& run) {
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", "the run itself");
  set(suite, "timestamp", visible(run.started));
  set(suite, "tests", "1");
  set(suite, "failures", "0");
  set(suite, "errors", "1");
  set(suite, "skipped", "0");
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", "aisp");
  set(node, "name", "run " + visible(run.id));
  add_problem(node, "error", "not finished",
              fmt::format("the run's status is {}: {} of its cells {} stored",
                          run.status.empty() ? "unknown" : visible(run.status), run.cells.size(),
                          run.cells.size() == 1 ? "is" : "are"),
              "");
}

}  // namespace

std::string render_junit(const RunRecord& run) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "aisp " + visible(run.id));
  for (const CellResult& cell : run.cells) {
    const auto number = [&](Validity validity) {
      return std::ranges::count_if(cell.variants, [&](const VariantResult& variant) {
        return variant.skipped.empty() && variant.validity == validity;
      });
    };
    const auto skipped =
        std::ranges::count_if(cell.variants, [](const VariantResult& v) { return !v.skipped.empty(); });
    pugi::xml_node suite = root.append_child("testsuite");
    set(suite, "name", visible(cell.workload + " " + cell.parameters));
    set(suite, "timestamp", visible(cell.started));
    const bool unmeasured = cell.variants.empty();
    set(suite, "tests", std::to_string(unmeasured ? 1 : cell.variants.size()));
    set(suite, "failures", std::to_string(number(Validity::invalid) + number(Validity::unproven)));
    set(suite, "errors", std::to_string(unmeasured ? 1 : number(Validity::failed)));
    set(suite, "skipped", std::to_string(skipped));
    if (unmeasured) add_unmeasured(suite, cell);
    for (const VariantResult& variant : cell.variants) add_case(suite, cell, variant);
  }
  if (run.status != "finished" || run.cells.empty()) add_unfinished(root, run);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace aisp::report
