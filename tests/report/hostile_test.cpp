// SPDX-License-Identifier: Apache-2.0
// Names and messages come from workload code. Whatever they hold, no report may be broken out of.
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "aisp/report/csv.h"
#include "aisp/report/google_benchmark.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/junit.h"
#include "aisp/report/markdown.h"
#include "aisp/report/svg.h"
#include "aisp/report/table.h"
#include "aisp/wire/json.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

/// Control characters other than line ends, raw or as C1 code points, and direction overrides.
void expect_no_controls(const std::string& text, const char* what) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool line_end = c == '\n' || c == '\r';
    ASSERT_FALSE((c < 0x20 && !line_end) || c == 0x7f) << what << " holds control character " << int{c};
    ASSERT_FALSE(c == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0)
        << what << " holds a C1 control";
  }
  EXPECT_EQ(text.find("\u202e"), std::string::npos) << what;
  EXPECT_EQ(text.find('\xff'), std::string::npos) << what;
}

TEST(Hostile, TerminalSeesNoEscape) {
  for (const bool ladder : {false, true}) {
    const std::string text = render_table(hostile_run(), {.ladder = ladder});
    expect_no_controls(text, "table");
    EXPECT_EQ(text.find('\r'), std::string::npos);
  }
}

TEST(Hostile, HtmlHasNoForeignTag) {
  const std::string html = render_html(hostile_run());
  expect_no_controls(html, "html");
  for (const char* markup : {"<script", "<img", "</style></svg>", "onerror=alert(1)>", "alert('x')"}) {
    EXPECT_EQ(html.find(markup), std::string::npos) << markup;
  }
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
  EXPECT_EQ(html.find("</style>"), html.rfind("</style>"));
}

TEST(Hostile, ASuiteHasNoForeignTagEither) {
  std::vector<ReportedRun> runs{{.run = hostile_run(), .exit_code = 1},
                                {.run = hostile_run(), .exit_code = 1}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].run.id = kHostileName + std::to_string(i);
    runs[i].run.manifest.hardware = kHostileText + std::to_string(i);
    runs[i].run.manifest.facts = {{.name = kHostileName, .value = kHostileText}};
  }
  const std::string html = render_html(runs), markdown = render_markdown(runs);
  expect_no_controls(html, "html");
  expect_no_controls(markdown, "markdown");
  for (const char* markup : {"<script", "<img", "</style></svg>", "onerror=alert(1)>", "alert('x')"})
    EXPECT_EQ(html.find(markup), std::string::npos) << markup;
  for (const char* markup : {"<script", "<img"})
    EXPECT_EQ(markdown.find(markup), std::string::npos) << markup;
  EXPECT_EQ(html.find("</style>"), html.rfind("</style>"));
}

TEST(Hostile, MarkupIsTextInAttributesToo) {
  EXPECT_EQ(escape_markup("\"'><b>&"), "&quot;&#39;&gt;&lt;b&gt;&amp;");
}

TEST(Hostile, HtmlAsksForNothing) {
  const std::string html = render_html(hostile_run());
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* request : {" src=", "url(", "@import", "<link rel=\"stylesheet", "<iframe", "<object"}) {
    std::size_t at = html.find(request);
    // The hostile text itself holds " src=", escaped and between tags.
    while (at != std::string::npos && html.rfind('<', at) < html.rfind('>', at))
      at = html.find(request, at + 1);
    EXPECT_EQ(at, std::string::npos) << request;
  }
}

TEST(Hostile, MarkdownStartsNoMarkup) {
  const std::string text = render_markdown(hostile_run());
  expect_no_controls(text, "markdown");
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("<img"), std::string::npos);
  EXPECT_EQ(escape_markdown("@someone #12 a|b *c* https://x.y www.z"),
            "@<!-- -->someone \\#<!-- -->12 a\\|b \\*c\\* https&#58;//x.y www&#46;z");
}

TEST(Hostile, JUnitIsWellFormedAndKeepsTheText) {
  const std::string xml = render_junit(hostile_run());
  expect_no_controls(xml, "junit");
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_string(xml.c_str());
  ASSERT_TRUE(parsed) << parsed.description();
  const std::string name =
      document.child("testsuites").child("testsuite").child("testcase").attribute("classname").value();
  EXPECT_EQ(name, "<script>alert('x')</script>\"&\\x1b[2J\\u{202e},|`\\xff");
}

TEST(Hostile, CsvKeepsItsColumns) {
  const std::string csv = render_csv(hostile_run());
  expect_no_controls(csv, "csv");
  std::size_t fields = 1;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ',') ++fields;
    if (c == '\n') {
      ASSERT_EQ(fields, 11u);
      fields = 1;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("a\"b,c"), "\"a\"\"b,c\"");
}

TEST(Hostile, JsonParsesAndRoundTrips) {
  const Result<Json> json = parse_json(render_json(hostile_run()));
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_EQ((*json)["schema_version"], kRunSchemaVersion);
  ASSERT_TRUE(parse_json(render_google_benchmark(hostile_run())));
}

}  // namespace
}  // namespace aisp::report
