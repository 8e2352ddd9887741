// SPDX-License-Identifier: Apache-2.0
// `aisp analyze` as a user types it, over stores made by hand. The arithmetic behind the answers is tested in
// tests/analysis; here it must reach the user, change with the data, and say what is missing.
#include <filesystem>

#include "tests/cli/analyze_fixture.h"

namespace aisp::testing {
namespace {

const Words kQuestions{"leaderboard", "pareto", "tradeoffs",       "whatif",  "scaling",
                       "power",       "cost",   "recommendations", "stacking"};

TEST_F(Analyze, GroupAndFlatSpellingsAgree) {
  for (const std::string& question : kQuestions) {
    const Finished flat = box.run({question, "--json"});
    EXPECT_EQ(flat.out, box.run({"analyze", question, "--json"}).out);
    EXPECT_EQ(flat.out, box.run({"--json", "analyze", question}).out);
    EXPECT_EQ(flat.json().value("schema", ""), "aisp." + question);
    EXPECT_EQ(box.run({"analyze", question, "--help"}).out, box.run({"help", question}).out);
  }
  EXPECT_EQ(ask({"analyze"})["questions"].size(), kQuestions.size());
  const Finished misspelt = box.run({"analyze", "leadrboard"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_NE(misspelt.err.find("did you mean `aisp analyze leaderboard`?"), std::string::npos) << misspelt.err;
}

TEST_F(Analyze, AnEmptyStoreCannotTell) {
  for (const std::string& question : kQuestions) {
    const Finished none = box.run({question, "--store", "nothing.db"});
    EXPECT_EQ(none.exit_code, 9) << question;
    if (question != "stacking") {  // says which command makes what it needs (stacking_test.cpp)
      EXPECT_EQ(none.out, "cannot tell: needs results: `aisp run` makes them\n") << question;
    }
    const Finished json = box.run({question, "--store", "nothing.db", "--json"});
    EXPECT_EQ(json.json()["cannot_tell"], true) << question;
  }
  EXPECT_FALSE(std::filesystem::exists(box.directory / "nothing.db")) << "asking makes no store";
}

TEST_F(Analyze, LeaderboardShowsTiesAndChangesWithTheData) {
  Json places = ask({"leaderboard", "ch7"})["standings"][0]["places"];
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0]["variant"], "tiled");
  EXPECT_EQ(places[0]["rank"], 1);
  EXPECT_EQ(places[1]["rank"], 1) << "50 and 51 ns with 2 % to either side";
  EXPECT_EQ(places[1]["tied"], true);
  EXPECT_EQ(places[2]["variant"], "naive");
  EXPECT_EQ(places[2]["rank"], 3);
  const std::string table = box.run({"leaderboard", "ch07/transpose"}).out;
  EXPECT_NE(table.find("1=    tiled    4.00x [3.92, 4.08]"), std::string::npos) << table;
  EXPECT_NE(table.find("= shares it."), std::string::npos) << table;
  CellResult later = transpose();
  later = cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}, {"wide", 25}});
  later.device = "cuda:0";
  keep("r2", {later});
  places = ask({"leaderboard", "ch7"})["standings"][0]["places"];
  EXPECT_EQ(places[0]["variant"], "wide");
  EXPECT_EQ(places[1]["rank"], 2);
}

// As above, 50 and 51 ns with gains that overlap, but in every round one is 2 % faster than the other.
TEST_F(Analyze, LeaderboardTellsVariantsOfOneCellApartByItsRounds) {
  CellResult cell = transpose();
  store::test::sample_rounds(cell, {200, 50, 51});
  keep("r2", {cell});
  const Json said = ask({"leaderboard", "ch7"});
  const Json& places = said["standings"][0]["places"];
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(places[i]["rank"], i + 1) << places;
    EXPECT_EQ(places[i]["tied"], false) << places;
  }
  EXPECT_EQ(said["leaders"][0]["place"]["tied"], false);
  EXPECT_NE(box.run({"leaderboard", "ch7"}).out.find("by the rounds in which both were sampled"),
            std::string::npos);
}

TEST_F(Analyze, LeadersOverAllWorkloads) {
  keep("r2", {cell_of("ch09/softmax", "n=8", {{"naive", 90}, {"online", 30}})}, "Intel Xeon");
  const Json said = ask({"leaderboard"});
  ASSERT_EQ(said["leaders"].size(), 2u);
  EXPECT_EQ(said["leaders"][0]["where"]["workload"], "ch07/transpose");
  EXPECT_FALSE(said.contains("standings"));
  EXPECT_EQ(ask({"leaderboard", "--device", "xeon"})["leaders"].size(), 1u);
  EXPECT_EQ(ask({"leaderboard", "--device", "cuda"})["leaders"].size(), 1u);
  EXPECT_EQ(ask({"leaderboard", "--top", "1"})["leaders"].size(), 1u);
  EXPECT_EQ(ask({"leaderboard", "--goal", "memory"}, 9)["leaders"].size(), 0u);
  const Finished unknown = box.run({"leaderboard", "ch10"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("there are no results of 'ch10'"), std::string::npos) << unknown.err;
}

// tiled is fastest and holds most, naive slowest and least; wide lies between: all three are on the front.
TEST_F(Analyze, ParetoAndTradeoffs) {
  const Json front = ask({"pareto", "--by", "time", "--by", "memory"})["contests"][0];
  for (const Json& member : front["members"]) EXPECT_TRUE(member["dominated_by"].empty()) << member;
  const Json steps = ask({"tradeoffs", "--by", "time", "--by", "memory"})["contests"][0]["exchanges"];
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0]["to"], "wide");
  EXPECT_DOUBLE_EQ(steps[0]["memory"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(steps[0]["time"]["value"].get<double>(), 51.0 / 50);
  EXPECT_EQ(ask({"pareto", "--by", "time", "--by", "energy"}, 9)["cannot_tell"], true);
  EXPECT_EQ(box.run({"pareto", "--by", "time"}).exit_code, 2);
  EXPECT_EQ(box.run({"pareto", "--by", "beauty"}).exit_code, 2);
}

// 1 and 100 KiB of a CPU are the same memory, and the answer says from where on they would not be.
TEST_F(Analyze, ParetoOnACpuSaysWhichMemoryIsTheSame) {
  CellResult cell = cell_of("ch09/softmax", "n=8", {{"naive", 90}, {"online", 30}});
  cell.variants[0].memory.peak_bytes = 1024;
  cell.variants[1].memory.peak_bytes = 102400;
  keep("r2", {cell});
  const std::string text = box.run({"pareto", "ch9", "--by", "time", "--by", "memory"}).out;
  EXPECT_NE(text.find("by time, memory; memory less than 256 KiB, or 6 %, apart is the same"),
            std::string::npos)
      << text;
  const Json front = ask({"pareto", "ch9", "--by", "time", "--by", "memory"})["contests"][0];
  EXPECT_EQ(front["members"][1]["dominated_by"], Json({"online"})) << front;
  EXPECT_EQ(box.run({"pareto", "ch7"}).out.find("is the same"), std::string::npos) << "exact on a GPU";
}

TEST_F(Analyze, WhatIfFiltersByEveryLimit) {
  const auto meeting = [&](Words limits) {
    limits.insert(limits.begin(), "whatif");
    Words names;
    const Json said = ask(limits);
    for (const Json& each : said["options"][0]["candidates"])
      if (each["verdict"] == "meets") names.push_back(each["variant"]);
    return names;
  };
  // 32 KiB of tensors: naive needs 33, wide 34, tiled 36 KiB.
  const std::string kib35 = std::to_string(35.0 / 1024 / 1024);
  EXPECT_EQ(meeting({"--device", "h200"}), (Words{"tiled", "wide", "naive"}));
  EXPECT_EQ(meeting({"--latency", "0.0001"}), (Words{"tiled", "wide"})) << "100 ns";
  EXPECT_EQ(meeting({"--vram", kib35}), (Words{"wide", "naive"}));
  EXPECT_EQ(meeting({"--vram", kib35, "--latency", "0.0001", "--max-error", "1e-3"}), (Words{"wide"}));
  const std::string table = box.run({"whatif", "--vram", kib35}).out;
  EXPECT_NE(table.find("memory, at most"), std::string::npos) << table;
  EXPECT_NE(table.find("memory may be 36.0 KiB > "), std::string::npos) << table;
  EXPECT_EQ(ask({"whatif", "--param", "n=65"}, 9)["options"].size(), 0u);
  EXPECT_EQ(box.run({"whatif", "--param", "n"}).exit_code, 2);
}

TEST_F(Analyze, WhatIfWithoutALimitSaysThatNothingWasAsked) {
  const std::string said = "no limit of latency, memory or error was given";
  EXPECT_EQ(box.run({"whatif"}).out.find("meets"), std::string::npos);
  EXPECT_NE(box.run({"whatif", "--latency", "1"}).out.find("meets"), std::string::npos);
  EXPECT_NE(box.run({"whatif"}).out.find(said), std::string::npos);
  EXPECT_NE(ask({"whatif"})["options"][0]["note"].get<std::string>().find(said), std::string::npos);
  for (const Words& limit : {Words{"whatif", "--latency", "1"}, Words{"whatif", "--memory", "1"},
                             Words{"whatif", "--max-error", "1"}})
    EXPECT_EQ(box.run(limit).out.find(said), std::string::npos);
}

// Of a device or hardware that no result is of: which there are.
TEST_F(Analyze, AnUnknownDeviceIsAnsweredWithThoseThereAre) {
  for (const std::string& question : kQuestions) {
    if (question == "stacking") continue;  // says which command makes what it needs
    const Finished none = box.run({question, "--device", "nope"});
    EXPECT_EQ(none.exit_code, 9) << question;
    EXPECT_NE(none.out.find("results of 'nope'"), std::string::npos) << question << none.out;
    EXPECT_NE(none.out.find("cuda:0 of NVIDIA H200"), std::string::npos) << question << none.out;
  }
  const Finished empty = box.run({"pareto", "--device", "nope", "--store", "nothing.db"});
  EXPECT_EQ(empty.out, "cannot tell: needs results: `aisp run` makes them\n");
}

TEST_F(Analyze, WhatIfRefusesASizeThatNoResultHas) {
  const Finished refused = box.run({"whatif", "--param", "size=64"});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_NE(refused.err.find("has a size 'size'"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("there are n"), std::string::npos) << refused.err;
  CellResult team = cell_of("ch03/sum", "n=8 threads=2", {{"naive", 9}, {"wide", 5}});
  keep("r2", {team});
  const Finished near = box.run({"whatif", "--param", "thread=2"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_NE(near.err.find("did you mean 'threads'?"), std::string::npos) << near.err;
  EXPECT_EQ(box.run({"whatif", "--param", "n=64", "--store", "nothing.db"}).exit_code, 9);
}

// `aisp run --variant tiled`: the baseline and the fastest are of a later run than the third.
TEST_F(Analyze, TheBestMeasuredAgainAloneStaysInFrontsAndWhatIf) {
  CellResult again = transpose();
  again.variants.pop_back();
  keep("r2", {again});
  const Json front = ask({"pareto", "--by", "time", "--by", "memory"})["contests"][0];
  ASSERT_EQ(front["members"].size(), 3u) << front;
  EXPECT_EQ(front["members"][0]["variant"], "tiled");
  EXPECT_TRUE(front["left_out"].empty()) << front;
  EXPECT_NE(box.run({"pareto"}).out.find("of 2 runs"), std::string::npos);
  const Json steps = ask({"tradeoffs", "--by", "time", "--by", "memory"})["contests"][0];
  EXPECT_EQ(steps["exchanges"][0]["from"], "tiled");
  EXPECT_NE(steps["note"], "");
  const Json options = ask({"whatif", "--latency", "0.0001"})["options"][0];
  EXPECT_EQ(options["candidates"].size(), 3u) << options;
  EXPECT_EQ(options["candidates"][0]["variant"], "tiled");
  EXPECT_EQ(options["candidates"][0]["run"], "r2");
  EXPECT_NE(box.run({"whatif"}).out.find("of 2 runs"), std::string::npos);
}

// An answer that is off by 0.7 of what is tolerated, under a limit of 0.5 of it.
TEST_F(Analyze, WhatIfSaysWhatErrorsAreMultiplesOf) {
  CellResult cell = transpose();
  cell.variants[1].evidence.answers.worst_error = 0.7;
  keep("r2", {cell});
  const std::string table = box.run({"whatif", "--max-error", "0.5"}).out;
  EXPECT_NE(table.find("error 0.7 x tolerance > 0.5 x tolerance"), std::string::npos) << table;
  const Json said = ask({"whatif", "--max-error", "0.5"});
  EXPECT_EQ(said["options"][0]["candidates"][0]["checks"][0]["unit"], "x tolerance");
  EXPECT_NE(box.run({"pareto", "--by", "time", "--by", "error"}).out.find("error, x tolerance"),
            std::string::npos);
}

TEST_F(Analyze, WhatIfModelsASizeOfASweep) {
  std::vector<CellResult> cells;
  for (const int n : {2, 8, 32})
    cells.push_back(cell_of("ch05/gemm", "n=" + std::to_string(n), {{"naive", 7.0 * n * n * n}}));
  keep("sweep", cells);
  const Json said = ask({"whatif", "ch05", "--param", "n=16"});
  const Json candidate = said["options"][0]["candidates"][0];
  EXPECT_EQ(candidate["modelled"], true);
  EXPECT_NEAR(candidate["time_ns"]["value"].get<double>(), 7.0 * 16 * 16 * 16, 1);
  EXPECT_EQ(ask({"whatif", "ch05", "--param", "n=64"}, 9)["options"][0]["candidates"][0]["needs"],
            "a measured size of at least 64");
  const Json scaling = ask({"scaling", "ch05"})["sizes"][0];
  EXPECT_NEAR(scaling["exponent"]["value"].get<double>(), 3, 1e-9);
}

TEST_F(Analyze, RecommendationsFollowTheNumbers) {
  EXPECT_EQ(ask({"recommendations"})["advice"][0]["rule"], "no ceiling");
  CellResult far = transpose();
  far.variants[1].percent_of_ceiling = 20;
  far.variants[1].ceiling = "read bandwidth";
  keep("r2", {far});
  const Json advice = ask({"recommendations"})["advice"][0];
  EXPECT_EQ(advice["rule"], "room below the ceiling");
  // 50 ns with 2 % to either side, of which the ceiling allows 10.
  EXPECT_DOUBLE_EQ(advice["room"]["value"].get<double>(), 5);
  EXPECT_DOUBLE_EQ(advice["room"]["low"].get<double>(), 4.9);
  EXPECT_DOUBLE_EQ(advice["room"]["high"].get<double>(), 5.1);
  const std::string text = box.run({"recommendations"}).out;
  EXPECT_NE(text.find("; at most 5x [4.9, 5.1] better\n"), std::string::npos) << text;
}

TEST_F(Analyze, RecommendationsThatAreTheSameAreSaidOnce) {
  CellResult first = transpose();
  for (VariantResult& variant : first.variants) variant.validity = Validity::unproven;
  CellResult second = first;
  second.parameters = "n=128";
  second.workload = first.workload = "ch08/other";
  keep("r2", {first, second});
  const std::string text = box.run({"recommendations", "ch08"}).out;
  const std::string why = "not valid: it is unproven";
  EXPECT_NE(text.find(why), std::string::npos) << text;
  EXPECT_EQ(text.find(why), text.rfind(why)) << "once: " << text;
  EXPECT_NE(text.find("ch08/other n=64, cuda:0 of NVIDIA H200: naive, tiled, wide\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ch08/other n=128, cuda:0 of NVIDIA H200: naive, tiled, wide\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("`aisp show r2` says why"), std::string::npos) << text;
  const Json said = ask({"recommendations", "ch08"});
  EXPECT_EQ(said["advice"].size(), 6u) << "documents have an entry for each";
  EXPECT_EQ(said["advice"][0]["run"], "r2");
}

TEST_F(Analyze, WhatIsNotValidIsNamedAndNotRanked) {
  CellResult doubtful = cell_of("ch08/ilp", "n=1", {{"base", 100}, {"fast", 50}});
  for (VariantResult& variant : doubtful.variants) variant.validity = Validity::unproven;
  keep("r2", {doubtful});
  const Finished board = box.run({"leaderboard", "ch08"});
  EXPECT_EQ(board.exit_code, 9);
  EXPECT_NE(board.out.find("cannot tell: needs a valid result"), std::string::npos) << board.out;
  EXPECT_NE(board.out.find("fast (it is unproven)"), std::string::npos) << board.out;
}

TEST_F(Analyze, StoreCheckNoticesFiguresThatDisagree) {
  const auto check = [&] { return box.run({"store", "check"}); };
  const std::string before = box.run({"leaderboard", "--json"}).out;
  // The hand-made verdicts follow from no samples: only what is said about figures counts here.
  EXPECT_NE(check().out.find("figures: 3 rows derived again, none differs"), std::string::npos)
      << check().out;
  const std::string edit = "UPDATE latest_figures SET gain = 99 WHERE variant = 'wide'";
  if (box.run({box.store().string(), edit}, "/usr/bin/sqlite3").exit_code != 0) GTEST_SKIP() << "no sqlite3";
  EXPECT_NE(check().out.find("differs: the latest figures are not those of the history"), std::string::npos);
  EXPECT_NE(box.run({"leaderboard", "--json"}).out, before);
  EXPECT_EQ(box.run({"store", "migrate"}).exit_code, 0);
  EXPECT_NE(check().out.find("none differs"), std::string::npos);
  EXPECT_EQ(box.run({"leaderboard", "--json"}).out, before);
}

}  // namespace
}  // namespace aisp::testing
