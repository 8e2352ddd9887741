// SPDX-License-Identifier: Apache-2.0
// A stored run becomes an expectation and is compared with itself, with a better one, with a lesser one and
// with none.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

/// Twice as fast as its baseline.
RunRecord a_run() {
  VariantResult honest, fast;
  honest.name = "honest";
  fast.name = "fast";
  fast.speedup = RatioEstimate{.against = "honest", .ratio = 2, .low = 1.98, .high = 2.02};
  for (VariantResult* each : {&honest, &fast}) each->validity = Validity::valid;
  fast.time_ns = Estimate{50, 49, 51};
  honest.time_ns = Estimate{100, 99, 101};
  fast.figure = fast.time_ns;
  honest.figure = honest.time_ns;
  CellResult cell;
  cell.workload = "pace/fast";
  cell.parameters = "n=1";
  cell.variants = {honest, fast};
  cell.validity = Validity::valid;
  RunRecord run;
  run.id = "20261115-120000-0000";
  run.started = run.finished = cell.started = cell.finished = "2026-11-15T12:00:00Z";
  run.status = "finished";
  run.manifest.hardware = "Abacus 3000, 10 beads";
  run.cells = {cell};
  return run;
}

class ExpectationsCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    keep(a_run());
    ASSERT_EQ(box.run({"export", "--format", "expectations", "-o", file().string()}).exit_code, 0);
    std::ifstream in(file());
    expected = Json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
    ASSERT_EQ(expected["entries"].size(), 1u) << expected.dump();
  }
  void keep(const RunRecord& run) {
    auto results = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(results && results->run_started(run) && results->cell_finished(run.id, run.cells[0]) &&
                results->run_finished(run.id, run.status, run.finished));
  }
  /// A run behind the first one, in which `fast` came to this; named otherwise it was not part of it.
  void keep_later(const std::string& name, Validity validity) {
    RunRecord run = a_run();
    run.id = "20261116-120000-0000";
    run.cells[0].variants[1].name = name;
    run.cells[0].variants[1].validity = validity;
    keep(run);
  }
  std::filesystem::path file() const { return box.directory / "expectations.json"; }
  /// As if the committed run had found this ratio.
  void expect_ratio(double ratio) {
    expected["entries"][0]["speedup"] = {{"value", ratio}, {"low", 0.99 * ratio}, {"high", 1.01 * ratio}};
    std::ofstream(file()) << expected;
  }
  Finished ask(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"expectations", "--hardware", "abacus",      "--from", ".",
                                   "--json",       "--plugin",   plugin("pace")};
    words.insert(words.end(), more.begin(), more.end());
    return box.run(words);
  }
  /// Without the plugin, so that it knows no size of pace/fast that nobody committed.
  int strict() {
    return box.run({"expectations", "--hardware", "abacus", "--from", ".", "pace/fast", "--strict"})
        .exit_code;
  }
  static Json row(const Finished& finished) {
    const Json document = finished.json();
    EXPECT_TRUE(document.is_object()) << finished.out << finished.err;
    if (!document.is_object()) return Json::object();
    for (const Json& each : document.value("rows", Json::array())) {
      if (each["variant"] == "fast") return each;
    }
    return Json::object();
  }

  Sandbox box;
  Json expected;
};

TEST_F(ExpectationsCommand, AreFoundFromAnyFolderBelow) {
  namespace fs = std::filesystem;
  const fs::path top = box.directory;
  const auto from_here = [&] {
    return box.run({"expectations", "--hardware", "abacus", "--json", "--plugin", plugin("pace")});
  };
  const fs::path committed = top / "results" / "2026-11-15";
  fs::create_directories(committed);
  fs::create_directories(top / "src" / "deep" / "results");  // nothing committed is in there
  fs::rename(file(), committed / "expectations.json");
  EXPECT_EQ(row(from_here())["standing"], "as expected");
  box.directory = top / "src" / "deep";
  EXPECT_EQ(row(from_here())["standing"], "as expected");
  fs::remove_all(top / "results");
  const Finished none = from_here();
  EXPECT_EQ(none.exit_code, 3) << none.out;
  EXPECT_NE(none.err.find((top / "src" / "deep" / "results").string()), std::string::npos) << none.err;
  EXPECT_NE(none.err.find((top / "results").string()), std::string::npos) << none.err;
}

TEST_F(ExpectationsCommand, ARunStandsAsExpectedToItself) {
  const Finished same = ask();
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(row(same)["standing"], "as expected") << same.out;
  EXPECT_EQ(row(same)["below_minimum"], false);
}

// As `aisp compare` of two others, or `aisp run --variant`, leaves it behind.
TEST_F(ExpectationsCommand, ALaterRunOfOtherVariantsHidesNone) {
  keep_later("other", Validity::valid);
  EXPECT_EQ(row(ask())["standing"], "as expected");
  EXPECT_EQ(row(ask())["run"], "20261115-120000-0000");
  expect_ratio(2.2);
  EXPECT_EQ(ask().exit_code, 1) << "nor that it is worse";
}

TEST_F(ExpectationsCommand, OfEachVariantTheLatestValidResultCounts) {
  keep_later("fast", Validity::unproven);
  EXPECT_EQ(row(ask())["run"], "20261115-120000-0000");
  EXPECT_EQ(row(ask())["standing"], "as expected");
}

// As `aisp run --attempts 1` leaves it behind.
TEST_F(ExpectationsCommand, AnUnprovenResultIsNoProof) {
  std::filesystem::remove(box.store());
  RunRecord run = a_run();
  for (VariantResult& each : run.cells[0].variants) each.validity = Validity::unproven;
  keep(run);
  const Finished unproven = ask({"pace/fast"});
  EXPECT_EQ(unproven.exit_code, 0) << unproven.err;
  EXPECT_EQ(row(unproven)["standing"], "unproven here") << unproven.out;
  EXPECT_EQ(row(unproven)["here"]["value"], 2) << "which is told";
  EXPECT_EQ(unproven.json()["counts"]["unproven"], 1);
  EXPECT_EQ(strict(), 1);
  const std::string table = box.run({"expectations", "--hardware", "abacus", "--from", ".", "pace/fast"}).out;
  EXPECT_NE(table.find("1 unproven or without an interval"), std::string::npos) << table;
  EXPECT_NE(table.find("`aisp show " + run.id + "` says what is missing"), std::string::npos) << table;
}

TEST_F(ExpectationsCommand, ARunThatNeverHappenedFailsWhereStrict) {
  EXPECT_EQ(strict(), 0);
  std::filesystem::remove(box.store());
  EXPECT_EQ(ask({"pace/fast"}).exit_code, 0);
  EXPECT_EQ(strict(), 1);
}

TEST_F(ExpectationsCommand, WhatAGuardRejectedSinceIsWorse) {
  keep_later("fast", Validity::invalid);
  EXPECT_EQ(row(ask())["standing"], "worse") << "although an earlier result was valid";
  EXPECT_EQ(ask().exit_code, 1);
}

TEST_F(ExpectationsCommand, WhatFallsShortIsWorseAndEndsWithOne) {
  expect_ratio(2.2);
  const Finished worse = ask();
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_EQ(row(worse)["standing"], "worse");
}

TEST_F(ExpectationsCommand, WhatIsBelowTheMinimumIsToldAndEndsWithOneWhereStrict) {
  expect_ratio(1.04);
  EXPECT_EQ(row(ask())["standing"], "better");
  EXPECT_EQ(row(ask())["below_minimum"], true);
  EXPECT_EQ(row(ask({"--min-speedup", "1.02"}))["below_minimum"], false);
  EXPECT_EQ(ask({"pace/fast"}).exit_code, 0);
  EXPECT_EQ(ask({"pace/fast", "--strict"}).exit_code, 1);
}

TEST_F(ExpectationsCommand, ALaterOneTakesThePlaceOfAnEarlier) {
  Json earlier = expected;
  earlier["date"] = "1999-01-01T00:00:00Z";
  earlier["entries"][0]["speedup"] = {{"value", 9}, {"low", 9}, {"high", 9}};
  std::filesystem::create_directory(box.directory / "a");
  std::ofstream(box.directory / "a" / "expectations.json") << earlier;
  EXPECT_EQ(row(ask())["date"], "2026-11-15");
  EXPECT_EQ(ask().exit_code, 0) << "the newer one, which it meets, counts";
}

TEST_F(ExpectationsCommand, WithoutResultsOfOnesOwnItIsNotRunHere) {
  std::filesystem::remove(box.store());
  EXPECT_EQ(row(ask())["standing"], "not run here");
}

TEST_F(ExpectationsCommand, SizesThatNobodyMeasuredAreListed) {
  int missing = 0;
  const Json document = ask().json();
  for (const Json& each : document["rows"]) missing += each["standing"] == "not measured";
  EXPECT_GT(missing, 0) << "all of the plugin's and the program's own";
}

TEST_F(ExpectationsCommand, IsATableForPeople) {
  const Finished table = box.run({"expectations", "--hardware", "ABACUS", "--from", ".", "pace/fast"});
  EXPECT_NE(table.out.find("2.00x [1.98, 2.02]"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("as expected"), std::string::npos) << table.out;
}

TEST_F(ExpectationsCommand, TheTableHasWhatIsCommittedAndCountsTheRest) {
  const Json counts = ask().json()["counts"];
  EXPECT_EQ(counts["committed"], 1);
  EXPECT_EQ(counts["not_run"], 0);
  const int unmeasured = counts["not_measured"].get<int>();
  ASSERT_GT(unmeasured, 1);
  std::filesystem::remove(box.store());
  EXPECT_EQ(ask().json()["counts"]["not_run"], 1);
  const std::string table =
      box.run({"expectations", "--hardware", "abacus", "--from", ".", "--plugin", plugin("pace")}).out;
  EXPECT_NE(table.find("1 row: 0 worse, 0 with less than 1.05x, 0 unproven or without an interval, 1 not run "
                       "here.\nNot run here: the store has no result"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find(std::to_string(unmeasured) + " more sizes of this program are committed by nobody"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("not measured"), std::string::npos) << table;
}

TEST_F(ExpectationsCommand, SizesAreInTheirOrder) {
  const Json entry = expected["entries"][0];
  expected["entries"] = Json::array();
  for (const char* size : {"n=4096", "n=512 k=10", "n=512 k=9"}) {
    expected["entries"].push_back(entry);
    expected["entries"].back()["parameters"] = size;
  }
  std::ofstream(file()) << expected;
  const std::string table = box.run({"expectations", "--hardware", "abacus", "--from", "."}).out;
  const std::size_t first = table.find("n=512 k=9"), second = table.find("n=512 k=10"),
                    third = table.find("n=4096");
  EXPECT_LT(first, second) << table;
  EXPECT_LT(second, third) << table;
}

TEST_F(ExpectationsCommand, ErrorsSayWhatToDo) {
  EXPECT_NE(box.run({"expectations", "--hardware", "loom", "--from", "."}).err.find("Abacus 3000"),
            std::string::npos);
  EXPECT_EQ(box.run({"expectations", "--hardware", "abacus", "--from", "nowhere"}).exit_code, 3);
  EXPECT_EQ(ask({"pace/fsat"}).exit_code, 2);
  const Finished no_device = box.run({"expectations", "--device", "loom", "--from", "."});
  EXPECT_EQ(no_device.exit_code, 2);
  EXPECT_NE(no_device.err.find("devices are cpu, and cuda:0"), std::string::npos) << no_device.err;
  for (const char* device : {"cpu", "cuda:7"}) {
    const Finished here = box.run({"expectations", "--device", device, "--from", "."});
    EXPECT_NE(here.exit_code, 0);
    EXPECT_NE(here.err.find("--hardware takes a part of the name of those there are: Abacus 3000"),
              std::string::npos)
        << here.err;
    EXPECT_NE(here.err.find("aisp export --format expectations"), std::string::npos) << here.err;
  }
  std::ofstream(file()) << "{";
  const Finished broken = ask();
  EXPECT_EQ(broken.exit_code, 3);
  EXPECT_NE(broken.err.find("expectations.json"), std::string::npos);
}

TEST(ExpectationsFolder, WithoutAFileSaysSo) {
  Sandbox box;
  const Finished none = box.run({"expectations", "--from", "."});
  EXPECT_EQ(none.exit_code, 3) << none.err;
  EXPECT_NE(none.err.find("there is no expectations.json in ., nor in a folder below it"), std::string::npos)
      << none.err;
}

}  // namespace
}  // namespace aisp::testing
