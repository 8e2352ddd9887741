// SPDX-License-Identifier: Apache-2.0
#include "tests/report/golden.h"

#include "aisp/report/csv.h"
#include "aisp/report/google_benchmark.h"
#include "aisp/report/html.h"
#include "aisp/report/junit.h"
#include "aisp/report/markdown.h"
#include "aisp/report/table.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

/// One cell with six windows a variant: small enough to read in a diff.
RunRecord small_run() {
  RunRecord run = example_run();
  CellResult cell = run.cells[2];
  for (VariantResult& variant : cell.variants) {
    Samples& s = variant.samples;
    s.attempt.resize(6);
    s.round.resize(6);
    s.pass.resize(6);
    s.calls.resize(6);
    s.ns.resize(6);
  }
  cell.rounds.resize(3);
  cell.rounds[1].discarded = "CPU quota throttled, \"hard\"";
  run.cells = {cell};
  return run;
}

TEST(Golden, Table80) { expect_golden("report_table_80.txt", render_table(example_run(), {.width = 80})); }
TEST(Golden, Table120) { expect_golden("report_table_120.txt", render_table(example_run(), {.width = 120})); }
TEST(Golden, Table200) { expect_golden("report_table_200.txt", render_table(example_run(), {.width = 200})); }
TEST(Golden, TableColour) {
  expect_golden("report_table_colour.txt", render_table(example_run(), {.color = true, .width = 120}));
}
TEST(Golden, Ladder80) {
  expect_golden("report_ladder_80.txt", render_table(example_run(), {.width = 80, .ladder = true}));
}
TEST(Golden, Ladder120) {
  expect_golden("report_ladder_120.txt", render_table(example_run(), {.width = 120, .ladder = true}));
}
TEST(Golden, Markdown) { expect_golden("report_run.md", render_markdown(example_run())); }
TEST(Golden, JUnit) { expect_golden("report_junit.xml", render_junit(example_run())); }
TEST(Golden, Csv) { expect_golden("report_samples.csv", render_csv(small_run())); }
TEST(Golden, GoogleBenchmark) {
  expect_golden("report_google_benchmark.json", render_google_benchmark(small_run()));
}
/// Two runs of a suite, on two machines, the second of which ended early.
std::vector<ReportedRun> small_suite() {
  std::vector<ReportedRun> runs{{.run = small_run(), .exit_code = 0}, {.run = small_run(), .exit_code = {}}};
  runs[0].run.cells[0].rounds.clear();
  runs[1].run.id = "20261116-081500-beef";
  runs[1].run.status = "interrupted";
  runs[1].run.manifest.hardware = "another machine | 8 cores";
  runs[1].run.cells[0].variants.resize(1);
  return runs;
}

TEST(Golden, HtmlOfASuite) { expect_golden("report_suite.html", render_html(small_suite())); }
TEST(Golden, MarkdownOfASuite) { expect_golden("report_suite.md", render_markdown(small_suite())); }
TEST(Golden, Html) { expect_golden("report_small.html", render_html(small_run())); }

}  // namespace
}  // namespace aisp::report
