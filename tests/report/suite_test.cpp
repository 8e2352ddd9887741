// SPDX-License-Identifier: Apache-2.0
// Several runs on one page: none of them is mixed with another, and every link leads to what it names.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "aisp/report/html.h"
#include "aisp/report/markdown.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

std::vector<ReportedRun> two_runs() {
  std::vector<ReportedRun> runs{{.run = example_run(), .exit_code = 1},
                                {.run = example_run(), .exit_code = 9}};
  runs[1].run.id = "another-run";
  return runs;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(Suite, EveryAnchorIsThereOnceAndEveryLinkHasOne) {
  const auto runs = two_runs();
  const std::string html = render_html(runs);
  const auto anchors = all(html, " id=\"([^\"]*)\"");
  const std::set<std::string> known(anchors.begin(), anchors.end());
  EXPECT_EQ(known.size(), anchors.size()) << "no anchor twice";
  const auto links = all(html, "href=\"#([^\"]*)\"");
  EXPECT_GE(links.size(), 2 * 2 * runs[0].run.cells.size()) << "to the cell and to the run, in every row";
  for (const std::string& link : links) EXPECT_TRUE(known.contains(link)) << link;
  for (std::size_t i = 0; i < 2 * runs[0].run.cells.size(); ++i)
    EXPECT_TRUE(known.contains("cell-" + std::to_string(i))) << i;
}

TEST(Suite, EachRunKeepsItsEndAndItsPolicy) {
  const std::string html = render_html(two_runs());
  EXPECT_EQ(count(html, ">exit code 1<"), 1u);
  EXPECT_EQ(count(html, ">exit code 9<"), 1u);
  EXPECT_NE(html.find("Worst exit code: 1."), std::string::npos);
  EXPECT_EQ(count(html, "<dt>Policy</dt>"), 2u);
  EXPECT_EQ(count(html, "<dt>Calibration</dt>"), 2u);
  std::vector<ReportedRun> killed = two_runs();
  killed[1].exit_code.reset();
  EXPECT_NE(render_html(killed).find("Not of every run the exit code is known."), std::string::npos);
}

TEST(Suite, HardwareIsAColumnWhereItDiffers) {
  std::vector<ReportedRun> runs = two_runs();
  EXPECT_EQ(count(render_html(runs), "<th>hardware</th>"), 0u);
  EXPECT_EQ(count(render_html(runs), "<th>run</th>"), 1u);
  EXPECT_EQ(count(render_markdown(runs), "| hardware |"), 0u);
  runs[1].run.manifest.hardware = "somewhere else";
  EXPECT_EQ(count(render_html(runs), "<th>hardware</th>"), 1u);
  EXPECT_EQ(count(render_html(runs), "data-label=\"hardware\""), 2 * runs[0].run.cells.size());
  EXPECT_EQ(count(render_markdown(runs), "| hardware |"), 1u);
  EXPECT_GE(count(render_markdown(runs), "| `somewhere else` |"), runs[1].run.cells.size());
}

TEST(Suite, OneRunIsThePageOfThatRun) {
  std::vector<ReportedRun> one = two_runs();
  one.resize(1);
  EXPECT_EQ(render_html(one), render_html(one[0].run));
  EXPECT_EQ(render_markdown(one), render_markdown(one[0].run));
}

TEST(Suite, RunsWithoutCellsAreAPageToo) {
  std::vector<ReportedRun> runs = two_runs();
  for (ReportedRun& each : runs) each.run.cells.clear();
  EXPECT_NE(render_html(runs).find("These runs have no cells."), std::string::npos);
  EXPECT_EQ(render_markdown(runs).find('|'), std::string::npos);
}

}  // namespace
}  // namespace aisp::report
