// SPDX-License-Identifier: Apache-2.0
// The questions that answer in lines: scaling, power and cost. As analyze_test.cpp, which has the others.
#include <fstream>
#include <set>

#include "tests/cli/analyze_fixture.h"

namespace aisp::testing {
namespace {

/// Told to a user who has no energy: what to do, and where.
constexpr const char* kNeedsEnergy =
    "an audited run (without --no-energy) on a machine with a readable energy counter";

// Teams of 1 and 2 that take 1000 and 550 ns (2 % to either side) for n=16: shares (0.55 - 0.5) / 0.5 = 0.1,
// at best (0.5284 - 0.5) / 0.5 = 0.0569, at worst (0.5724 - 0.5) / 0.5 = 0.145: limits 10, 6.9 and 17.6.
TEST_F(Analyze, ScalingTellsTeamsApart) {
  std::vector<CellResult> cells;
  for (const int n : {16, 32, 64}) {
    for (const int p : {1, 2}) {
      const std::string size = "n=" + std::to_string(n) + " threads=" + std::to_string(p);
      cells.push_back(cell_of("ch03/sum", size, {{"naive", (p == 1 ? 1000 : 550) * n / 16.0}}));
      cells.back().work_items = n;
    }
  }
  keep("teams", cells);
  std::vector<Json> work;
  const Json said = ask({"scaling", "ch03"});
  for (const Json& team : said["teams"]) work.push_back(team["work_per_member"]);
  EXPECT_EQ(work, (std::vector<Json>{nullptr, nullptr, nullptr, 16.0, 32.0}));
  const std::string table = box.run({"scaling", "ch03"}).out;
  for (const char* part : {"work for each", "16 items", "32 items", "10x [6.9, 17.6]"})
    EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
}

// Two sizes give no exponent: the line says what it needs, and the answer that nothing can be told.
TEST_F(Analyze, ScalingWithoutAnExponentOrATeamCannotTell) {
  std::vector<CellResult> cells{cell_of("ch03/sum", "n=16", {{"naive", 100}}),
                                cell_of("ch03/sum", "n=32", {{"naive", 200}})};
  keep("sizes", cells);
  const Json said = ask({"scaling", "ch03"}, 9);
  EXPECT_EQ(said["sizes"].size(), 1u);
  EXPECT_EQ(said["needs"], "three measured sizes");
  EXPECT_NE(box.run({"scaling", "ch03"}).out.find("cannot tell: needs three measured sizes"),
            std::string::npos);
  keep("teams", {cell_of("ch04/sum", "threads=2", {{"naive", 100}}),
                 cell_of("ch04/sum", "threads=4", {{"naive", 60}})});
  EXPECT_EQ(ask({"scaling", "ch04"}, 9)["needs"], "a measurement with threads=1");
  keep("more", {cell_of("ch03/sum", "n=64", {{"naive", 400}})});
  EXPECT_EQ(ask({"scaling", "ch03"})["cannot_tell"], false);
}

TEST_F(Analyze, ALimitMayBeOpen) {
  std::vector<CellResult> cells;
  for (const int p : {1, 2})
    cells.push_back(cell_of("ch03/sum", "n=16 threads=" + std::to_string(p), {{"naive", 1010.0 / p}}));
  cells[1].variants[0].time_ns = Estimate{510, 490, 530};
  keep("teams", cells);
  const std::string table = box.run({"scaling", "ch03"}).out;
  EXPECT_NE(table.find(", inf]"), std::string::npos) << table;
}

TEST_F(Analyze, PowerNeedsACounter) {
  EXPECT_EQ(ask({"power"}, 9)["needs"], kNeedsEnergy);
  CellResult counted = transpose();
  for (VariantResult& variant : counted.variants) variant.evidence.energy.joules_per_call = 2;
  keep("r2", {counted});
  // 4096 items for 2 J.
  const auto row = [&] { return ask({"power"})["contests"][0]["rows"][0]; };
  EXPECT_DOUBLE_EQ(row()["items_per_joule"]["value"].get<double>(), 2048);
  EXPECT_TRUE(row()["watts"].is_null()) << "joules over a time are no watts";
  for (VariantResult& variant : counted.variants) variant.evidence.energy.uncertainty = 0.25;
  keep("r3", {counted});
  EXPECT_DOUBLE_EQ(row()["items_per_joule"]["low"].get<double>(), 4096 / 2.5);
  const std::string table = box.run({"power"}).out;
  EXPECT_NE(table.find("2 J [1.5, 2.5]"), std::string::npos) << table;
  EXPECT_NE(table.find("not the spread between runs"), std::string::npos) << table;
}

// 400 W by the counter, 25 % to either side, of a cold cell as of any other.
TEST_F(Analyze, PowerIsThatOfTheCounterInEveryCacheMode) {
  for (const CacheMode cache : {CacheMode::hot, CacheMode::cold}) {
    CellResult counted = transpose();
    counted.cache = cache;
    for (VariantResult& variant : counted.variants)
      variant.evidence.energy = {.joules_per_call = 2, .uncertainty = 0.25, .watts = 400};
    keep(std::string(name_of(cache)), {counted});
  }
  const Json contests = ask({"power"})["contests"];
  ASSERT_EQ(contests.size(), 2u);
  for (const Json& contest : contests) {
    const Json& watts = contest["rows"][0]["watts"];
    EXPECT_EQ(watts["value"], 400.0);
    EXPECT_EQ(watts["low"], 300.0);
    EXPECT_EQ(watts["high"], 500.0);
  }
  const std::string table = box.run({"power"}).out;
  const auto first = table.find("400 W [300, 500]");
  EXPECT_NE(first, std::string::npos) << table;
  EXPECT_NE(table.find("400 W [300, 500]", table.find(", cold")), std::string::npos) << table;
}

TEST_F(Analyze, PowerNamesTheCounterWhereSomeSizeIsValid) {
  CellResult rejected = cell_of("ch07/transpose", "n=32", {{"naive", 100}});
  rejected.device = "cuda:0";
  rejected.variants[0].validity = Validity::invalid;
  keep("r2", {rejected});
  EXPECT_EQ(ask({"power"}, 9)["needs"], kNeedsEnergy);
}

TEST_F(Analyze, WhatRunsOnACpuHasNoPriceOnAGpu) {
  keep("r2", {cell_of("ch01/add", "n=8", {{"naive", 100}})}, "some CPU");
  const std::string needs = ask({"cost", "ch01", "--gpu", "B200"}, 9)["needs"];
  EXPECT_EQ(needs, "a measurement on B200: what was measured on a CPU does not run there");
}

// Two builds measured against each other later than the ladder: no question takes their sides for its
// variants.
TEST_F(Analyze, SidesOfTwoBuildsAreNoVariants) {
  CellResult pair =
      cell_of("ch07/transpose", "n=64", {{"old/tiled", 50}, {"new/tiled", 40}, {"old/naive", 200}});
  pair.device = "cuda:0";
  keep("r2", {pair});
  for (const char* question : {"leaderboard", "pareto", "whatif", "cost"}) {
    const std::string said = box.run({question, "--rate", "1"}).out + box.run({question}).out;
    EXPECT_NE(said.find("tiled"), std::string::npos) << said;
    EXPECT_EQ(said.find("old/"), std::string::npos) << said;
    EXPECT_EQ(said.find("new/"), std::string::npos) << said;
  }
}

// 51 ns at 3.60 $/h: 3.6 * 51e-9 / 3600 = 5.1e-11 $ a call, over 4096 items.
TEST_F(Analyze, CostShowsItsArithmetic) {
  const auto price = [](const Json& said) {
    return said["bills"][0]["lines"][1]["dollars_per_item"]["value"].get<double>();
  };
  EXPECT_NEAR(price(ask({"cost", "--rate", "3.6"})), 5.1e-11 / 4096, 1e-22);
  EXPECT_NEAR(price(ask({"cost", "--price", "h200=7.2"})), 10.2e-11 / 4096, 1e-22);
  const std::string table = box.run({"cost", "--rate", "3.6"}).out;
  EXPECT_NE(table.find("3.60 $/h x 50.0 ns / 3600 s / 4096 items"), std::string::npos) << table;
  // 4.8 to 7.7 TB/s at 5 $/h.
  EXPECT_NEAR(price(ask({"cost", "--gpu", "B200"})), 5.0 * 51e-9 * 4.8 / 7.7 / 3600 / 4096, 1e-22);
  const Json unknown = ask({"cost"}, 9);
  EXPECT_EQ(unknown["needs"], "a price for 'NVIDIA H200': give --rate, or --price NAME=DOLLARS");
  EXPECT_EQ(box.run({"cost", "--price", "h200"}).exit_code, 2);
}

// The makers' table has an A10G and an A100 but no A10, and an L40S but no L4.
TEST_F(Analyze, CostKnowsMachinesByTheirWholeNames) {
  keep("r2", {transpose()}, "NVIDIA A10");
  keep("r3", {transpose()}, "NVIDIA A100-SXM4-80GB");
  const auto line_on = [&](const std::string& hardware, const Words& more) {
    Words words{"cost", "--rate", "1"};
    words.insert(words.end(), more.begin(), more.end());
    const Json said = ask(words, more.back() == "B200" ? 0 : 9);
    for (const Json& line : said["bills"][0]["lines"])
      if (line["hardware"] == hardware) return line;
    return Json();
  };
  EXPECT_EQ(line_on("NVIDIA A100-SXM4-80GB", {"--price", "L4=1", "--gpu", "L4"})["needs"],
            "a measurement on L4: the bandwidth of L4 is not known");
  EXPECT_EQ(line_on("NVIDIA A10", {"--gpu", "B200"})["needs"],
            "a measurement on B200: the bandwidth of NVIDIA A10 is not known");
  // 2.039 to 7.7 TB/s.
  const Json known = line_on("NVIDIA A100-SXM4-80GB", {"--gpu", "B200"});
  EXPECT_NE(known["model"].get<std::string>().find("2.04 / 7.7 TB/s"), std::string::npos) << known;
}

// A name of which nothing is known has no answer, however much it looks like a part of another.
TEST_F(Analyze, CostRefusesMachinesThatNobodyKnows) {
  for (const auto& [name, meant] : {std::pair{"h10", "H100"}, {"H20", "H200"}, {"a10", "A100"}}) {
    const Finished refused = box.run({"cost", "--rate", "1", "--gpu", name});
    EXPECT_EQ(refused.exit_code, 2) << name << refused.out;
    EXPECT_NE(refused.err.find(std::string("did you mean ") + meant + "?"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(box.run({"cost", "--rate", "1", "--gpu", "h200"}).exit_code, 0) << "measured on one";
  EXPECT_EQ(box.run({"cost", "--gpu", "h100"}).exit_code, 0);
}

TEST_F(Analyze, TopLimitsLinesInBothForms) {
  std::vector<CellResult> cells{transpose()};
  for (const int n : {128, 256})
    for (const int p : {1, 2})
      cells.push_back(cell_of("ch03/sum", "n=" + std::to_string(n) + " threads=" + std::to_string(p),
                              {{"naive", 4.0 * n / p}, {"wide", 2.0 * n / p}}));
  for (CellResult& cell : cells)
    for (VariantResult& variant : cell.variants) variant.evidence.energy.joules_per_call = 2;
  keep("r2", cells);
  // The transposition has three lines, each of the four sums two: 11 in all, two for each shown are 10.
  for (const Words& question : {Words{"cost", "--rate", "1"}, Words{"power"}}) {
    const char* tables = question[0] == "cost" ? "bills" : "contests";
    const char* rows = question[0] == "cost" ? "lines" : "rows";
    Words few = question;
    few.insert(few.end(), {"--top", "2"});
    const Json said = ask(few);
    ASSERT_EQ(said[tables].size(), 5u) << question[0];
    for (const Json& table : said[tables]) EXPECT_EQ(table[rows].size(), 2u) << question[0];
    EXPECT_EQ(said["total"], 11) << question[0];
    EXPECT_NE(box.run(few).out.find("10 of 11 lines; --top shows more, --offset those behind them\n"),
              std::string::npos)
        << question[0];
    EXPECT_EQ(box.run(question).out.find("--top"), std::string::npos) << "all are shown";
  }
  // Two variants along n with 1 and 2 threads, and along threads at two sizes.
  const Json scaling = ask({"scaling", "ch03", "--top", "3"});
  EXPECT_EQ(scaling["sizes"].size(), 3u);
  EXPECT_EQ(scaling["teams"].size(), 3u);
  EXPECT_EQ(scaling["total"], 8);
  EXPECT_NE(box.run({"scaling", "ch03", "--top", "3"}).out.find("6 of 8 lines"), std::string::npos);
  for (const char* question : {"cost", "power", "scaling"})
    for (const char* top : {"0", "1001"}) EXPECT_EQ(box.run({question, "--top", top}).exit_code, 2) << top;
}

// Three lines of one contest a page each, and nothing behind them: no line twice, none left out.
TEST_F(Analyze, PagesReachEveryLine) {
  CellResult counted = transpose();
  for (VariantResult& variant : counted.variants) variant.evidence.energy.joules_per_call = 2;
  keep("r2", {counted});
  for (const Words& question : {Words{"cost", "--rate", "1"}, Words{"power"}}) {
    const char* tables = question[0] == "cost" ? "bills" : "contests";
    const char* rows = question[0] == "cost" ? "lines" : "rows";
    std::set<std::string> seen;
    for (const char* offset : {"0", "1", "2", "3"}) {
      Words page = question;
      page.insert(page.end(), {"--top", "1", "--offset", offset});
      const Json said = ask(page);
      EXPECT_EQ(said["total"], 3);
      EXPECT_EQ(said["cannot_tell"], false);
      for (const Json& line : said[tables][0][rows]) seen.insert(line["variant"]);
      EXPECT_EQ(said[tables][0][rows].size(), offset == std::string("3") ? 0u : 1u) << offset;
    }
    EXPECT_EQ(seen.size(), 3u) << question[0];
  }
}

// Four sizes; three can be told by time and memory, and come first.
TEST_F(Analyze, PagesReachEveryContest) {
  std::vector<CellResult> cells;
  for (const int n : {32, 128, 256}) {
    cells.push_back(transpose());
    cells.back().parameters = "n=" + std::to_string(n);
  }
  for (VariantResult& variant : cells[0].variants) variant.memory.peak_bytes.reset();
  keep("r2", cells);
  for (const auto& [question, list] : {std::pair{"pareto", "contests"},
                                       {"tradeoffs", "contests"},
                                       {"whatif", "options"},
                                       {"leaderboard", "leaders"}}) {
    std::vector<std::string> sizes;
    for (const char* offset : {"0", "1", "2", "3", "4"}) {
      const Json said = ask({question, "--top", "1", "--offset", offset});
      for (const Json& each : said[list]) sizes.push_back(each["where"]["parameters"]);
      EXPECT_EQ(said[question == std::string("leaderboard") ? "total" : "found"], 4) << question;
      EXPECT_EQ(said["cannot_tell"], false) << question << offset;
    }
    EXPECT_EQ(sizes.size(), 4u) << question;
    EXPECT_EQ(std::set<std::string>(sizes.begin(), sizes.end()).size(), 4u) << question;
  }
  const Json places = ask({"leaderboard", "ch07", "--top", "3", "--offset", "3"});
  EXPECT_EQ(places["standings"].size(), 1u);
  EXPECT_NE(box.run({"pareto", "--top", "1", "--offset", "2"}).out.find("1 of 4 contests"),
            std::string::npos);
  EXPECT_EQ(ask({"recommendations", "--offset", "1"})["advice"].size(),
            ask({"recommendations"})["advice"].size() - 1);
  for (const char* question :
       {"pareto", "whatif", "power", "cost", "scaling", "leaderboard", "recommendations"})
    for (const char* offset : {"-1", "one", "1.5"})
      EXPECT_EQ(box.run({question, "--offset", offset}).exit_code, 2) << question << offset;
}

TEST_F(Analyze, PricesComeFromTheConfiguration) {
  std::ofstream(box.directory / "aisp.toml") << "[cost]\nprice = [\"H200=4.10\"]\n";
  EXPECT_DOUBLE_EQ(ask({"cost"})["bills"][0]["lines"][0]["dollars_per_hour"].get<double>(), 4.10);
}

}  // namespace
}  // namespace aisp::testing
