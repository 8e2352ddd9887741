// SPDX-License-Identifier: Apache-2.0
// `aisp history` over stores whose past was written by the test: what is suspected, what settles it, what
// scripts and CI systems are told.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "aisp/cli/run_config.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"
#include "tests/sanitized.h"

namespace aisp::testing {
namespace {

struct Stretch {
  int runs;
  double ns;
  std::string build;  ///< stands for the SHA-256 of the program
  std::string commit;
};

std::string numbered(const std::string& form, int number) {
  std::string text = form;
  text.replace(text.find("##"), 2, (number < 10 ? "0" : "") + std::to_string(number));
  return text;
}

class History : public ::testing::Test {
 protected:
  RunRecord run_of(const std::string& build, const std::string& commit) {
    ++number_;
    RunRecord run;
    run.id = numbered("20261101-0000##-aaaa", number_);
    run.started = run.finished = numbered("2026-11-01T00:##:00Z", number_);
    run.manifest.hardware = device::hardware_key();
    run.manifest.facts = {{"git", commit}, {"SHA-256 of aisp", "the same"}, {"SHA-256 of plugin p", build}};
    return run;
  }

  CellResult cell_of(double ns, Validity validity = Validity::valid) const {
    CellResult cell;
    cell.workload = "pair/double";
    cell.parameters = "n=262144";
    cell.finished = numbered("2026-11-01T00:##:30Z", number_);
    const double value = ns * (1 + 0.001 * ((number_ * 7) % 5));
    VariantResult step;
    step.name = "step";
    step.time_ns = step.figure = Estimate{value, value * 0.999, value * 1.001};
    step.validity = cell.validity = validity;
    cell.variants = {step};
    return cell;
  }

  void keep(const RunRecord& run, const CellResult& cell) {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(store->run_started(run));
    ASSERT_TRUE(store->cell_finished(run.id, cell));
    ASSERT_TRUE(store->run_finished(run.id, "finished", run.finished));
  }

  void fill(const std::vector<Stretch>& past) {
    for (const Stretch& stretch : past) {
      for (int i = 0; i < stretch.runs; ++i) keep(run_of(stretch.build, stretch.commit), cell_of(stretch.ns));
    }
  }

  Finished history(std::vector<std::string> words = {}) {
    words.insert(words.begin(), "history");
    return box.run(words);
  }

  /// The changes of the only series.
  Json changes(std::vector<std::string> words = {}) {
    words.push_back("--json");
    const Json answer = history(words).json();
    return answer.contains("series") && answer["series"].size() == 1 ? answer["series"][0]["changes"]
                                                                     : Json();
  }

  Sandbox box;
  int number_ = 0;
};

const std::vector<Stretch> kSlower{{10, 1000, "a", "aaaaaaaaaaaa"}, {10, 1500, "b", "bbbbbbbbbbbb"}};

TEST_F(History, ASuspicionIsShownAndIsNoAlert) {
  fill(kSlower);
  EXPECT_EQ(history({"--json", "--changed"}).json()["counts"]["tested"], 1);
  const Finished shown = history();
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("suspected"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("aaaaaaaaaaaa to bbbbbbbbbbbb"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("1 series of 20 results: 0 confirmed regressions, 1 suspected"), std::string::npos)
      << shown.out;
}

TEST_F(History, SeriesThatDidNotChangeCanBeLeftOutAndAreStillCounted) {
  fill({{3, 1000, "a", ""}});
  EXPECT_EQ(history({"--json"}).json()["series"].size(), 1u);
  const Json steady = history({"--json", "--changed"}).json();
  EXPECT_EQ(steady["series"].size(), 0u);
  EXPECT_EQ(steady["counts"]["series"], 1);
  EXPECT_EQ(steady["counts"]["points"], 3);
  EXPECT_EQ(steady["counts"]["tested"], 0);
  EXPECT_EQ(steady["counts"]["points_to_test"], 10);
  EXPECT_NE(history().out.find("none of them tested (a test takes 10 results of a series"),
            std::string::npos);
  EXPECT_EQ(history({"--changed"}).exit_code, 2) << "the table shows only changes anyway";
}

TEST_F(History, SeriesThatChangedStay) {
  fill(kSlower);
  EXPECT_EQ(history({"--json", "--changed"}).json()["series"].size(), 1u);
}

TEST_F(History, TheSameBuildIsTheMachinesDoing) {
  fill({{10, 1000, "a", "aaaaaaaaaaaa"}, {10, 1500, "a", "aaaaaaaaaaaa"}});
  EXPECT_EQ(changes()[0]["status"], "same build");
}

TEST_F(History, OfAnEmptyOrYoungStoreIsNoError) {
  {
    const auto empty = store::Store::open(box.store(), store::Access::read_write);
  }
  EXPECT_EQ(history().exit_code, 0) << "a store without results";
  fill({{3, 1000, "a", ""}});
  const Finished young = history({"--all"});
  EXPECT_EQ(young.exit_code, 0) << young.err;
  EXPECT_NE(young.out.find("too few results"), std::string::npos) << young.out;
}

TEST_F(History, ThatMatchesNothingSaysWhatThereIs) {
  {
    const auto empty = store::Store::open(box.store(), store::Access::read_write);
  }
  EXPECT_NE(history().out.find("There are no results yet: `aisp run` makes them."), std::string::npos);
  fill({{3, 1000, "a", ""}});
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--device", "gpu"},
                                                {"--variant", "twin"},
                                                {"--since", "2027-01-01"},
                                                {"ch07"}}) {
    const Finished none = history(words);
    EXPECT_EQ(none.exit_code, 9) << words.back() << none.err;
    EXPECT_NE(none.out.find("No result matches: "), std::string::npos) << none.out;
    EXPECT_NE(none.out.find(words.back()), std::string::npos) << none.out;
    EXPECT_NE(none.out.find("cpu on " + device::hardware_key() + ": 1 workload\n"), std::string::npos)
        << none.out;
  }
  EXPECT_TRUE(history({"--device", "gpu", "--json"}).json().contains("unmatched"));
  EXPECT_FALSE(history({"--json"}).json().contains("unmatched"));
  keep(run_of("a", ""), cell_of(5000, Validity::invalid));
  const Finished left_out = history({"--since", "2026-11-01T00:04:00Z"});
  EXPECT_EQ(left_out.exit_code, 0) << "what matches is not valid, and that is said: " << left_out.out;
  EXPECT_EQ(left_out.out.find("No result matches"), std::string::npos) << left_out.out;
}

TEST_F(History, ComparisonsOfBuildsAloneAreToldToBeNoPoints) {
  RunRecord run = run_of("a", "");
  run.manifest.config.builds = {"old.so", "new.so"};
  CellResult cell = cell_of(1000);
  for (VariantResult& variant : cell.variants) variant.name = "old/" + variant.name;
  keep(run, cell);
  const Finished none = history();
  EXPECT_NE(none.out.find("No result here is a point of a history"), std::string::npos) << none.out;
  EXPECT_EQ(none.out.find("1 workload"), std::string::npos) << none.out;
}

TEST_F(History, DatesThatNoCalendarHasAreRefused) {
  fill({{3, 1000, "a", ""}});
  for (const char* date : {"2026-13-01", "2026-02-30", "2026-00-10"}) {
    const Finished refused = history({"--since", date});
    EXPECT_EQ(refused.exit_code, 2) << date;
    EXPECT_NE(refused.err.find("is not a date"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(history({"--since", "2024-02-29"}).exit_code, 0);
}

TEST_F(History, RejectedResultsAreLeftOutAndCounted) {
  fill({{5, 1000, "a", ""}});
  for (const Validity validity : {Validity::invalid, Validity::unproven})
    keep(run_of("a", ""), cell_of(5000, validity));
  const Finished strict = history({"--json"}), lenient = history({"--json", "--unproven"});
  EXPECT_EQ(strict.json()["counts"]["points"], 5) << strict.err;
  EXPECT_EQ(strict.json()["left_out"]["not_valid"], 2);
  EXPECT_EQ(lenient.json()["counts"]["points"], 6);
}

TEST_F(History, SinceLeavesTheOlderOnesOut) {
  fill(kSlower);
  EXPECT_TRUE(changes({"--since", "2026-11-01T00:11:00Z"}).empty());
  EXPECT_EQ(history({"--json", "--since", "2026-11-01T00:11:00Z"}).json()["counts"]["points"], 10);
  for (const char* wrong : {"yesterday", "2026", "2026-11-1", "2026-11-01 00:00"})
    EXPECT_EQ(history({"--since", wrong}).exit_code, 2) << wrong;
}

TEST_F(History, IsOfTheHardwareAskedFor) {
  fill(kSlower);
  RunRecord elsewhere = run_of("a", "");
  elsewhere.manifest.hardware = "Some Box 9000";
  CellResult on_gpu = cell_of(1);
  on_gpu.device = "cuda:0";
  keep(elsewhere, on_gpu);
  EXPECT_EQ(history({"--json"}).json()["counts"]["points"], 20);
  EXPECT_EQ(history({"--json", "--hardware", "box 9000"}).json()["counts"]["points"], 1);
  EXPECT_EQ(history({"--hardware", "toaster"}).exit_code, 3);
  EXPECT_EQ(history({"--hardware", "9000", "--builds", "."}).exit_code, 2) << "builds run here";
}

TEST_F(History, IsOfTheWorkloadsAskedFor) {
  fill(kSlower);
  EXPECT_EQ(history({"pair/double", "--json"}).json()["counts"]["series"], 1);
  EXPECT_EQ(history({"ch07", "--json"}).json()["counts"]["series"], 0);
  EXPECT_EQ(history({"pair/doubel"}).exit_code, 2);
  EXPECT_EQ(history({"--variant", "twin", "--json"}).json()["counts"]["series"], 0);
}

TEST_F(History, CanFollowTheCommitsInsteadOfTime) {
  // Measured newest first, as somebody does who looks for the commit that did it.
  fill({{10, 1500, "b", "v1.0-4-gbbbbbbbbbbbb"},
        {10, 1000, "a", "aaaaaaaaaaaa"},
        {2, 1, "c", "cccccccccccc-dirty"}});
  box.write("commits", "aaaaaaaaaaaa1111\nbbbbbbbbbbbb2222\n");
  const std::string file = (box.root() / "commits").string();
  EXPECT_LT(changes({"--commits", file})[0]["ratio"].get<double>(), 1);
  EXPECT_EQ(history({"--json", "--commits", file}).json()["left_out"]["not_listed"], 2);
  EXPECT_EQ(history({"--commits", "/nowhere/at/all"}).exit_code, 7);
}

TEST_F(History, GoesToJUnitGitHubAndAPicture) {
  fill(kSlower);
  const std::string xml = (box.root() / "history.xml").string(), svg = (box.root() / "history.svg").string();
  const std::string summary = box.write("summary.md", "before\n").string();
  EXPECT_NE(history({"--github"}).out.find("| pair/double |"), std::string::npos);
  box.environment["GITHUB_STEP_SUMMARY"] = summary;
  const Finished told = history({"--junit", xml, "--svg", svg, "--github"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  pugi::xml_document junit, picture;
  ASSERT_TRUE(junit.load_file(xml.c_str()));
  EXPECT_STREQ(junit.child("testsuites").child("testsuite").attribute("failures").value(), "0");
  EXPECT_TRUE(picture.load_file(svg.c_str()));
  std::ostringstream text;
  text << std::ifstream(summary).rdbuf();
  EXPECT_EQ(text.str().rfind("before\n### Performance history", 0), 0u) << text.str();
  EXPECT_EQ(history({"--junit", "/nowhere/at/all.xml"}).exit_code, 7);
}

TEST_F(History, ARegressionIsConfirmedByMeasuringBothBuilds) {
  SKIP_WHEN_SANITIZED("times are its own");
  box.give_ceilings();
  const std::string honest = plugin("pair_honest"), slow = plugin("pair_slow");
  fill({{10, 1000, *cli::file_sha256(honest), "aaaaaaaaaaaa"},
        {10, 20000, *cli::file_sha256(slow), "bbbbbbbbbbbb"}});
  const std::string xml = (box.root() / "history.xml").string();
  const Finished missing = history({"pair/double", "--builds", honest});
  EXPECT_EQ(missing.exit_code, 0) << missing.out;
  EXPECT_NE(missing.err.find("not both among --builds"), std::string::npos) << missing.err;
  const Finished confirmed = history({"pair/double", "--builds", honest, "--builds", slow, "--cell-seconds",
                                      "2", "--max-rounds", "48", "--policy", "portable", "--junit", xml});
  EXPECT_EQ(confirmed.exit_code, 1) << confirmed.out << confirmed.err;
  EXPECT_NE(confirmed.out.find("confirmed 0."), std::string::npos) << confirmed.out;
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(xml.c_str()));
  EXPECT_STREQ(junit.child("testsuites").child("testsuite").attribute("failures").value(), "1");
  const Json later = changes({"pair/double"});
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0]["status"], "confirmed") << "it is kept";
  EXPECT_EQ(history().exit_code, 1);
}

TEST_F(History, WhatBothBuildsDoAlikeIsRefuted) {
  SKIP_WHEN_SANITIZED("times are its own");
  box.give_ceilings();
  // The program changed and is as slow as ever; the machine was faster in those days.
  const std::string slow = plugin("pair_slow");
  std::filesystem::create_directory(box.root() / "builds");
  const std::string other = (box.root() / "builds" / "rebuilt.so").string();
  std::filesystem::copy_file(slow, other);
  std::ofstream(other, std::ios::app | std::ios::binary) << "other bytes, the same code";
  std::filesystem::copy_file(slow, box.root() / "builds" / "first.so");
  fill({{10, 1000, *cli::file_sha256(slow), "aaaaaaaaaaaa"},
        {10, 1500, *cli::file_sha256(other), "bbbbbbbbbbbb"}});
  const Finished answer =
      history({"pair/double", "--builds", (box.root() / "builds").string(), "--cell-seconds", "2",
               "--max-rounds", "48", "--policy", "portable", "--equivalence", "0.1", "--json"});
  ASSERT_EQ(answer.json()["series"].size(), 1u) << answer.err;
  const Json change = answer.json()["series"][0]["changes"][0];
  // On a machine that is too busy to tell, it must say that and not more.
  EXPECT_TRUE(change["status"] == "refuted" || change["status"] == "unsettled") << change;
  EXPECT_NE(answer.exit_code, 1) << answer.out;
}

}  // namespace
}  // namespace aisp::testing
