// SPDX-License-Identifier: Apache-2.0
// `aisp stacking` and `aisp run --combinations` as a user types them. The arithmetic is tested in
// tests/analysis/stacking_test.cpp; here it must come from the raw rounds of a store and change with them.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/store/figures_fixture.h"

namespace aisp::testing {
namespace {

using store::test::cell_of;
using store::test::finish_run;
using Words = std::vector<std::string>;

/// naive 100 ns, with blocking 50, with simd 80, with both as given. The times that figures hold are others:
/// nothing may be read from them.
CellResult combined(double both) {
  CellResult cell =
      cell_of("ch07/transpose", "n=64",
              {{"naive", 9}, {"naive+blocking", 8}, {"naive+simd", 7}, {"naive+blocking+simd", 6}});
  store::test::sample_rounds(cell, {100, 50, 80, both});
  return cell;
}

class Stacking : public ::testing::Test {
 protected:
  void keep(const std::string& run, const std::vector<CellResult>& cells) {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    finish_run(*store, run, cells, "box");
  }
  Json ask(Words words, int code = 0) {
    words.insert(words.begin(), {"analyze", "stacking"});
    words.emplace_back("--json");
    const Finished said = box.run(words);
    EXPECT_EQ(said.exit_code, code) << said.out << said.err;
    return said.json();
  }
  Sandbox box;
};

// 100 / 20 over 2 times 1.25 is 2; 100 / 50 over the same is 0.8.
TEST_F(Stacking, ReadsTheRawRoundsAndChangesWithThem) {
  keep("r1", {combined(20)});
  Json read = ask({"ch07/transpose"})["combinations"][0];
  EXPECT_EQ(read["techniques"], Json({"blocking", "simd"}));
  EXPECT_EQ(read["baseline"], "naive");
  EXPECT_NEAR(read["interactions"][0]["ratio"]["ratio"].get<double>(), 2, 1e-9);
  EXPECT_EQ(read["interactions"][0]["reading"], "help each other");
  EXPECT_EQ(read["best"], "naive+blocking+simd");
  EXPECT_NEAR(read["marginals"][1]["gain"]["ratio"].get<double>(), 2.5, 1e-9) << "simd, added to blocking";
  EXPECT_EQ(read["run"], "r1");
  const std::string table = box.run({"stacking"}).out;
  EXPECT_NE(table.find("blocking and simd"), std::string::npos) << table;
  EXPECT_NE(table.find("help each other"), std::string::npos) << table;
  keep("r2", {combined(50)});
  read = ask({})["combinations"][0];
  EXPECT_EQ(read["run"], "r2");
  EXPECT_NEAR(read["interactions"][0]["ratio"]["ratio"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(read["interactions"][0]["reading"], "get in the way");
}

TEST_F(Stacking, DiscardedRoundsAndInvalidSubsetsDoNotCount) {
  CellResult cell = combined(20);
  for (int round = 0; round < 4; ++round) {
    cell.rounds[static_cast<std::size_t>(round)].discarded = "the machine was busy";
    cell.variants[3].samples.ns[static_cast<std::size_t>(round)] = 1;
  }
  keep("r1", {cell});
  EXPECT_EQ(ask({})["combinations"][0]["interactions"][0]["ratio"]["rounds"],
            store::test::kSampledRounds - 4);
  CellResult doubtful = combined(20);
  doubtful.variants[3].validity = Validity::invalid;
  doubtful.parameters = "n=128";
  keep("r2", {doubtful});
  const Json read = ask({})["combinations"][0];
  EXPECT_EQ(read["where"]["parameters"], "n=128");
  EXPECT_EQ(read["interactions"][0]["needs"], "a valid measurement of naive+blocking+simd");
  EXPECT_EQ(read["left_out"][0]["why"], "it is invalid");
}

TEST_F(Stacking, WithoutCombinationsItNamesTheCommand) {
  const Finished empty = box.run({"stacking", "ch07/transpose"});
  EXPECT_EQ(empty.exit_code, 9);
  EXPECT_EQ(empty.out, "cannot tell: needs `aisp run ch07/transpose --combinations`\n");
  EXPECT_FALSE(std::filesystem::exists(box.store())) << "asking makes no store";
  keep("r1", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
  EXPECT_EQ(ask({"transpose"}, 9)["needs"], "`aisp run ch07/transpose --combinations`");
  EXPECT_NE(ask({}, 9)["needs"].get<std::string>().find("`aisp run WORKLOAD --combinations`"),
            std::string::npos);
  EXPECT_NE(ask({"ch08/ilp"}, 9)["needs"].get<std::string>().find("ch08/ilp declares none"),
            std::string::npos);
  keep("r2", {cell_of("mine/kernel", "n=64", {{"naive", 200}, {"fast", 50}})});
  EXPECT_EQ(ask({"mine"}, 9)["needs"], "`aisp run mine/kernel --combinations`, with its --plugin");
  const Finished unknown = box.run({"stacking", "ch07/transpoze"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("did you mean ch07/transpose?"), std::string::npos) << unknown.err;
}

TEST_F(Stacking, TheLatestCellsAreReadAndNoMoreThanAskedFor) {
  CellResult other = combined(40);
  other.parameters = "n=128";
  keep("r1", {other, combined(20)});
  const Json one = ask({"--top", "1"});
  ASSERT_EQ(one["combinations"].size(), 1u);
  EXPECT_EQ(one["combinations"][0]["where"]["parameters"], "n=64");
  EXPECT_EQ(one["found"], 2);
  EXPECT_EQ(ask({})["combinations"].size(), 2u);
}

TEST_F(Stacking, ABaselineThatIsNotValidIsMissed) {
  CellResult cell = combined(20);
  cell.variants[0].validity = Validity::unproven;
  keep("r1", {cell});
  const Json said = ask({}, 9);
  EXPECT_EQ(said["needs"], "a valid measurement of the baseline");
  EXPECT_EQ(said["combinations"][0]["left_out"][0]["variant"], "naive");
}

TEST_F(Stacking, CombinationsStayOffLaddersAndBoards) {
  const auto measured = [&](Words words) {
    words.insert(words.begin(), {"run", "ch07/transpose", "--suite", "small", "--dry-run", "--json"});
    return box.run(words);
  };
  const Finished asked = measured({"--combinations"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  const Finished both = measured({"--combinations", "--variant", "tiled"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("leave one of them out"), std::string::npos) << both.err;
  const Finished none = box.run({"run", "ch08/ilp", "--combinations"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("these do: ch07/transpose"), std::string::npos) << none.err;
  const std::string listed = box.run({"list", "ch07/transpose"}).out;
  EXPECT_EQ(listed.find("naive+"), std::string::npos) << listed;
  EXPECT_NE(listed.find("techniques that combine: blocking, simd, streaming"), std::string::npos) << listed;
  keep("r1", {combined(20)});
  const Json board = box.run({"leaderboard", "ch07/transpose", "--json"}).json()["standings"][0];
  EXPECT_EQ(board["places"].size(), 1u) << "the baseline alone";
  EXPECT_EQ(board["left_out"].size(), 3u);
}

// Small and short: whether the rows are valid depends on how busy the machine is, what is stored does not.
TEST_F(Stacking, ARunMeasuresEverySubsetInTheSameRounds) {
  box.give_ceilings();
  const Finished ran = box.run({"run", "ch07/transpose", "--combinations", "--param", "n=64",
                                "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1", "--json"});
  const Json cell = ran.json()["cells"][0];
  ASSERT_EQ(cell["variants"].size(), 8u) << ran.out << ran.err;
  EXPECT_EQ(cell["variants"][0]["name"], "naive");
  std::set<int> all;
  for (const Json& variant : cell["variants"]) all.merge(std::set<int>(variant["samples"]["round"]));
  for (const Json& variant : cell["variants"]) {
    if (variant["skipped"] != "") continue;  // an old processor
    // One that is far slower than the others here is sampled in every eighth of them.
    const std::set<int> rounds = variant["samples"]["round"];
    EXPECT_FALSE(rounds.empty()) << variant["name"];
    EXPECT_TRUE(std::ranges::includes(all, rounds)) << variant["name"];
    if (variant["every"] == 1) {
      EXPECT_EQ(rounds, all) << variant["name"];
    }
  }
  const Json read = ask({"ch07/transpose"}, box.run({"stacking"}).exit_code);
  EXPECT_EQ(read["combinations"][0]["techniques"], Json({"blocking", "simd", "streaming"}));
}

}  // namespace
}  // namespace aisp::testing
