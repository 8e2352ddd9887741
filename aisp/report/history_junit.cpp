// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <pugixml.hpp>

#include "aisp/report/history.h"
#include "aisp/report/history_rows.h"
#include "aisp/report/text.h"

namespace aisp::report {
namespace {

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

std::string text_of(const HistoryRow& row) {
  return row.change + ", " + row.levels + ", " + row.place + ": " + row.verdict.text;
}

/// Rows that alert are failures; all others are told in the output of a case that passed, or that has too few
/// results.
enum class CaseEnd { passed, failed, skipped };
CaseEnd add_case(pugi::xml_node suite, const ExaminedSeries& each) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "classname", visible(each.series.workload));
  std::string name = each.series.variant + " [" + each.series.parameters + "]";
  if (each.series.device != "cpu") name += " " + each.series.device;
  set(node, "name", visible(name));
  std::string told;
  bool failed = false;
  for (const HistoryRow& row : history_rows(std::span(&each, 1), false)) {
    if (row.verdict.tone == Tone::bad) {
      pugi::xml_node failure = node.append_child("failure");
      set(failure, "type", "regression");
      set(failure, "message", text_of(row));
      failed = true;
    }
    told += text_of(row) + "\n";
  }
  const bool skipped = !failed && young(each.series);
  if (skipped) set(node.append_child("skipped"), "message", "too few results to find a change in them");
  if (!told.empty()) node.append_child("system-out").append_child(pugi::node_pcdata).set_value(told.c_str());
  return failed ? CaseEnd::failed : skipped ? CaseEnd::skipped : CaseEnd::passed;
}

}  // namespace

std::string render_history_junit(std::span<const ExaminedSeries> examined, const std::string& hardware) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "aisp history");
  pugi::xml_node suite = root.append_child("testsuite");
  set(suite, "name", visible(hardware));
  set(suite, "tests", std::to_string(examined.size()));
  pugi::xml_attribute failures = suite.append_attribute("failures");
  pugi::xml_attribute skips = suite.append_attribute("skipped");
  int failed = 0, skipped = 0;
  for (const ExaminedSeries& each : examined) {
    const CaseEnd end = add_case(suite, each);
    failed += end == CaseEnd::failed;
    skipped += end == CaseEnd::skipped;
  }
  failures.set_value(failed);
  skips.set_value(skipped);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace aisp::report
