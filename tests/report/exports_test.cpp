// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include <pugixml.hpp>

#include "aisp/report/csv.h"
#include "aisp/report/google_benchmark.h"
#include "aisp/report/html.h"
#include "aisp/report/json.h"
#include "aisp/report/junit.h"
#include "aisp/wire/json.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

TEST(Exports, JsonHoldsTheWholeRecordUnderItsVersion) {
  const std::string text = render_json(example_run());
  EXPECT_EQ(text.find("\"schema\": \"aisp.run\""), text.find('"'));
  const Result<Json> json = parse_json(text);
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["schema_version"], kRunSchemaVersion);
  const Result<RunRecord> back = from_json<RunRecord>(*json);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(render_json(*back), text);
}

TEST(Exports, CsvHasOneLinePerSampleAndMarksDiscardedRounds) {
  const RunRecord run = example_run();
  const std::string csv = render_csv(run);
  std::size_t samples = 0;
  for (const CellResult& cell : run.cells) {
    for (const VariantResult& variant : cell.variants) samples += variant.samples.size();
  }
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), samples + 1);
  EXPECT_NE(csv.find(",17,0,1,"), std::string::npos) << "discarded rounds keep their samples";
  EXPECT_NE(csv.find("CPU quota throttled during the round,\r\n"), std::string::npos);
}

TEST(Exports, CsvKeepsTheCalibrationsSamples) {
  RunRecord run = example_run();
  run.cells.resize(1);
  run.cells[0].aa_samples = {{1}, {0}, {0}, {4}, {123.25}, {}};
  EXPECT_NE(render_csv(run).find("ch09/sgemm,n=1024 threads=1,A/A naive,1,0,0,4,123.25,,\r\n"),
            std::string::npos);
}

TEST(Exports, CsvHoldsTheLatenciesOfAWindowsItems) {
  RunRecord run = example_run();
  run.cells.resize(1);
  run.cells[0].variants[0].samples = {{1, 1}, {0, 1}, {0, 0}, {2, 2}, {10.5, 12}, {{}, {3.25, 8}}};
  const std::string csv = render_csv(run);
  EXPECT_NE(csv.find(",ns,discarded,items_ns\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("naive,1,0,0,2,10.5,,\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("naive,1,1,0,2,12,,3.25 8\r\n"), std::string::npos) << csv;
}

TEST(Exports, GoogleBenchmarkSaysWhatTheRunKnowsOfTheMachine) {
  RunRecord run = example_run();
  Json context = (*parse_json(render_google_benchmark(run)))["context"];
  EXPECT_EQ(context["num_cpus"], 4);
  EXPECT_EQ(context["mhz_per_cpu"], 2450);
  ASSERT_EQ(context["caches"].size(), 2u);
  EXPECT_EQ(context["caches"][0],
            (Json{{"type", "Data"}, {"level", 1}, {"size", 32768}, {"num_sharing", 2}}));
  EXPECT_EQ(context["caches"][1]["num_sharing"], 4);
  EXPECT_FALSE(context.contains("cpu_scaling_enabled")) << "the hypervisor hides it";
  for (const auto& [governor, scales] : {std::pair{"performance", false}, std::pair{"powersave", true}}) {
    run.cells[0].variants[0].evidence.environment.governor = governor;
    context = (*parse_json(render_google_benchmark(run)))["context"];
    EXPECT_EQ(context["cpu_scaling_enabled"], scales) << governor;
  }
  run.manifest.facts.clear();
  context = (*parse_json(render_google_benchmark(run)))["context"];
  for (const char* key : {"num_cpus", "mhz_per_cpu", "caches", "load_avg"})
    EXPECT_FALSE(context.contains(key)) << key;
}

TEST(Exports, GoogleBenchmarkHasItsKeysAndDropsDiscardedRounds) {
  const RunRecord run = example_run();
  const Result<Json> json = parse_json(render_google_benchmark(run));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["context"]["host_name"], "bench-7");
  std::size_t repetitions = 0;
  std::vector<std::string> aggregates;
  for (const Json& entry : (*json)["benchmarks"]) {
    if (entry["run_name"] != "ch07/transpose/simd/n:4096/threads:1") continue;
    for (const char* key : {"name", "family_index", "per_family_instance_index", "run_type", "repetitions",
                            "threads", "iterations", "real_time", "cpu_time", "time_unit"}) {
      EXPECT_TRUE(entry.contains(key)) << key;
    }
    if (entry["run_type"] == "iteration") {
      EXPECT_EQ(entry["repetition_index"], repetitions++);
      EXPECT_TRUE(entry.contains("bytes_per_second"));
    } else {
      EXPECT_FALSE(entry.contains("repetition_index"));
      aggregates.push_back(entry["aggregate_name"]);
    }
  }
  EXPECT_EQ(repetitions, 94u) << "48 rounds of two windows, round 17 discarded";
  EXPECT_EQ(aggregates, (std::vector<std::string>{"mean", "median", "stddev"}));
}

TEST(Exports, GoogleBenchmarkCannotMistakeARejectedTimeForAResult) {
  const Result<Json> json = parse_json(render_google_benchmark(example_run()));
  ASSERT_TRUE(json);
  int errors = 0;
  for (const Json& entry : (*json)["benchmarks"]) {
    if (!entry.contains("error_occurred")) continue;
    ++errors;
    EXPECT_FALSE(entry.contains("real_time"));
    EXPECT_FALSE(entry["error_message"].get<std::string>().empty());
  }
  EXPECT_EQ(errors, 3) << "one invalid, one failed, one skipped";
}

TEST(Exports, JUnitCountsMatchItsCases) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_junit(example_run()).c_str()));
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const pugi::xml_node suite : document.child("testsuites").children("testsuite")) {
    int cases = 0;
    for (const pugi::xml_node node : suite.children("testcase")) {
      ++cases;
      failures += !node.child("failure").empty();
      errors += !node.child("error").empty();
      skipped += !node.child("skipped").empty();
    }
    EXPECT_EQ(cases, suite.attribute("tests").as_int());
  }
  EXPECT_EQ(failures, 2) << "one invalid, one unproven";
  EXPECT_EQ(errors, 1);
  EXPECT_EQ(skipped, 1);
}

TEST(Exports, JUnitShowsARefusedCellAsAnError) {
  RunRecord run = example_run();
  CellResult& refused = run.cells.front();
  refused.variants.clear();
  refused.stopped = "refused";
  refused.attempts = {{.status = "refused", .detail = "needs 31 TiB"}};
  run.cells.resize(1);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_junit(run).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_STREQ(suite.child("testcase").child("error").attribute("message").as_string(),
               "refused: needs 31 TiB");
}

TEST(Exports, JUnitShowsARunThatIsNotFinishedAsAnError) {
  RunRecord run = example_run();
  for (const bool empty : {false, true}) {
    for (const char* status : {"interrupted", "out of time", "running", ""}) {
      run.status = status;
      if (empty) run.cells.clear();
      pugi::xml_document document;
      ASSERT_TRUE(document.load_string(render_junit(run).c_str()));
      pugi::xml_node last;
      for (const pugi::xml_node suite : document.child("testsuites").children("testsuite")) last = suite;
      EXPECT_EQ(last.attribute("tests").as_int(), 1) << status;
      EXPECT_EQ(last.attribute("errors").as_int(), 1) << status;
      const std::string message = last.child("testcase").child("error").attribute("message").as_string();
      EXPECT_TRUE(
          message.starts_with("the run's status is " + std::string(*status == 0 ? "unknown" : status) + ":"))
          << message;
    }
  }
}

TEST(Exports, HtmlHoldsEveryCellAndItsDrawings) {
  const RunRecord run = example_run();
  const std::string html = render_html(run);
  const auto count = [&](std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = html.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    EXPECT_EQ(count("id=\"cell-" + std::to_string(i) + "\""), 1u);
    EXPECT_EQ(count("href=\"#cell-" + std::to_string(i) + "\""), 1u);
  }
  EXPECT_EQ(count("Time of every round"), run.cells.size());
  EXPECT_EQ(count("aria-label=\"Latency of the items"), 1u) << "the trace cell alone has items";
  for (const char* tag :
       {"table", "tr", "td", "th", "details", "section", "figure", "svg", "ul", "li", "dl", "span"}) {
    EXPECT_EQ(count(std::string("<") + tag + ">") + count(std::string("<") + tag + " "),
              count(std::string("</") + tag + ">"))
        << tag;
  }
}

TEST(Exports, HtmlPutsRejectingFindingsFirst) {
  RunRecord run = example_run();
  run.cells = {run.cells[4]};
  const std::string html = render_html(run);
  const std::size_t findings = html.find("What the guards found");
  EXPECT_LT(html.find("badge bad\">reject", findings), html.find("badge caution\">unknown", findings));
  EXPECT_LT(html.find("badge caution\">unknown", findings), html.find("badge plain\">pass", findings));
}

}  // namespace
}  // namespace aisp::report
