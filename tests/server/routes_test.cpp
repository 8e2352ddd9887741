// SPDX-License-Identifier: Apache-2.0
// Every route: its document, and what it says to a wrong question. No sockets here.
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/store/run_lock.h"
#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

class Routes : public ::testing::Test {
 protected:
  void SetUp() override {
    CellResult cell = cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}, {"wide", 51}});
    cell.variants[0].memory = {.peak_bytes = 4e6, .current_bytes = 1e6, .reserved_bytes = 5e6};
    cell.variants[1].memory = {
        .peak_bytes = 1e6, .current_bytes = {}, .reserved_bytes = {}, .savings_percent = 75};
    cell.variants[1].samples.ns = {49, 50, 51};
    cell.work_items = 4096;
    CellResult bad = cell_of("ch09/softmax", "n=8", {{"naive", 90}, {"online", 30}});
    bad.variants[1].validity = Validity::invalid;
    bad.variants[1].findings = {
        {.guard = "output_written",
         .level = Level::reject,
         .because = "8 of 8 held poison",
         .hint = "write it"},
        {.guard = "clock_steady", .level = Level::pass, .because = "it was", .hint = ""},
        {.guard = "no_page_faults",
         .level = Level::reject,
         .because = "3 faults",
         .hint = "",
         .waived = true}};
    bad.variants[0].memory = {
        .peak_bytes = 2e6, .current_bytes = {}, .reserved_bytes = {}, .savings_percent = 50};
    bad.variants[1].memory.peak_bytes = 1e6;
    asking.keep("20261115-100000-aaaa", {cell, bad});
    asking.keep("20261115-110000-bbbb", {cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 40}})});
  }
  Asking asking;
};

TEST_F(Routes, ListTheWorkloadsAsTheCommandDoes) {
  const Json list = asking.json("/api/v1/benchmarks");
  EXPECT_EQ(list["schema"], "aisp.list");
  EXPECT_GT(list["workloads"].size(), 5u);
  int known = 0;
  for (const Json& workload : list["workloads"]) {
    ASSERT_TRUE(workload.contains("peak_mb") && workload.contains("allocated_mb") &&
                workload.contains("reserved_mb") && workload.contains("memory_savings_pct"));
    if (workload["peak_mb"].is_null()) continue;
    EXPECT_EQ(workload["id"], "ch09/softmax");
    EXPECT_EQ(workload["peak_mb"], 2.0) << "of the valid variant that holds least";
    EXPECT_EQ(workload["memory_savings_pct"], 50.0);
    ++known;
  }
  EXPECT_EQ(known, 1) << "the newest cell of ch07/transpose says nothing of memory";
  EXPECT_EQ(asking.get("/api/benchmarks").body, asking.get("/api/v1/benchmarks").body);
}

TEST_F(Routes, AWorkloadHasItsIdeaItsSourceAndItsResults) {
  for (const char* path : {"/api/v1/workloads/ch07/transpose", "/api/v1/workloads/ch07%2Ftranspose"}) {
    const Json json = asking.json(path);
    EXPECT_EQ(json["schema"], "aisp.workload");
    ASSERT_EQ(json["workloads"].size(), 1u);
    EXPECT_FALSE(json["workloads"][0]["idea"].get<std::string>().empty());
    ASSERT_EQ(json["results"].size(), 3u);
    for (const Json& result : json["results"]) {
      for (const char* field :
           {"peak_mb", "allocated_mb", "reserved_mb", "memory_savings_pct", "gain", "seq"})
        EXPECT_TRUE(result.contains(field)) << field;
    }
    for (const Json& result : json["results"]) {
      const Json at = asking.json("/api/v1/runs/" + result["run"].get<std::string>() + "/cells/" +
                                  result["cell"].dump())["cell"];
      EXPECT_EQ(at["workload"], result["workload"]);
      EXPECT_EQ(at["parameters"], result["parameters"]);
      EXPECT_EQ(at["device"], result["device"]);
    }
    const Json cell = asking.json("/api/v1/cells/" + json["results"][0]["seq"].dump());
    EXPECT_EQ(cell["cell"]["workload"], "ch07/transpose");
  }
  asking.refused("/api/v1/workloads/ch07/nothing", 404);
  asking.refused("/api/v1/workloads", 404);
}

TEST_F(Routes, RunsComeInPages) {
  const Json all = asking.json("/api/v1/runs");
  ASSERT_EQ(all["runs"].size(), 2u);
  EXPECT_EQ(all["runs"][0]["id"], "20261115-110000-bbbb") << "newest first";
  EXPECT_TRUE(all["next"].is_null());
  const Json first = asking.json("/api/v1/runs?limit=1");
  ASSERT_EQ(first["runs"].size(), 1u);
  const Json second = asking.json("/api/v1/runs?limit=1&before=" + first["next"].get<std::string>());
  EXPECT_EQ(second["runs"][0]["id"], "20261115-100000-aaaa");
  EXPECT_EQ(asking.json("/api/v1/runs?workload=ch09/softmax")["runs"].size(), 1u);
  EXPECT_EQ(asking.json("/api/v1/runs?hardware=elsewhere")["runs"].size(), 0u);
  for (const char* bad : {"limit=0", "limit=-1", "limit=1001", "limit=1e9", "limit=x", "limit=1.5",
                          "limit=0x10", "limit=2&limit=3", "lmit=2", "before=nobody", "offset=1"})
    asking.refused(std::string("/api/v1/runs?") + bad, 400);
  EXPECT_EQ(asking.refused("/api/v1/runs?lmit=2", 400)["hint"], "did you mean 'limit'?");
}

TEST_F(Routes, ARunThatIsKilledIsNoLongerRunningAlthoughNothingIsAdded) {
  const std::string id = "20261115-120000-" + std::to_string(getpid());
  std::optional<store::RunLock> lock = store::RunLock::take(id);
  ASSERT_TRUE(lock);
  {
    auto opened = store::Store::open(asking.store(), store::Access::read_write);
    ASSERT_TRUE(opened);
    RunRecord run;
    run.id = id;
    run.started = "2026-11-15T12:00:00Z";
    ASSERT_TRUE(opened->run_started(run));
    ASSERT_TRUE(opened->cell_started(id, "ch07/transpose", "n=64"));
  }
  const auto expect_everywhere = [&](const std::string& word) {
    EXPECT_EQ(asking.json("/api/v1/runs")["runs"][0]["status"], word);
    EXPECT_EQ(asking.json("/api/v1/summary")["recent"][0]["status"], word);
    const Json run = asking.json("/api/v1/runs/" + id);
    EXPECT_EQ(run["status"], word);
    EXPECT_EQ(run["cells"][0]["stopped"], word);
    EXPECT_EQ(asking.json("/api/v1/runs/" + id + "/cells/0")["cell"]["stopped"], word);
  };
  expect_everywhere("running");
  lock.reset();
  expect_everywhere("interrupted");
}

TEST_F(Routes, ARunIsWhatShowPrints) {
  const Json run = asking.json("/api/v1/runs/20261115-10");
  EXPECT_EQ(run["schema"], "aisp.run");
  EXPECT_EQ(run["cells"].size(), 2u);
  EXPECT_EQ(run["cells"][0]["variants"][1]["samples"]["ns"].size(), 3u);
  EXPECT_EQ(asking.json("/api/v1/runs/latest")["id"], "20261115-110000-bbbb");
  const Json brief = asking.json("/api/v1/runs/20261115-10?samples=false");
  EXPECT_EQ(brief["cells"][0]["variants"][1]["samples"]["ns"].size(), 0u);
  EXPECT_TRUE(brief["cells"][0]["variants"][1].contains("evidence"));
  const Json list = asking.json("/api/v1/runs/20261115-10?evidence=false");
  Json all_else = run;
  for (Json& cell : all_else["cells"]) {
    for (Json& variant : cell["variants"]) {
      EXPECT_EQ(variant.erase("evidence"), 1u);
      std::erase_if(variant["findings"].get_ref<Json::array_t&>(),
                    [](const Json& each) { return each["level"] != "reject"; });
    }
  }
  EXPECT_EQ(list, all_else);
  asking.refused("/api/v1/runs/nobody", 404);
  asking.refused("/api/v1/runs/2026", 404);
  asking.refused("/api/v1/runs/latest?samples=perhaps", 400);
  asking.refused("/api/v1/runs/' OR 1=1 --", 400);
  asking.refused("/api/v1/runs/'%20OR%201=1%20--", 404);
}

TEST_F(Routes, ACellHasItsSamplesAndMegabytes) {
  const Json cell = asking.json("/api/v1/runs/20261115-10/cells/0");
  EXPECT_EQ(cell["cells"], 2);
  EXPECT_EQ(cell, asking.json("/api/v1/runs/" + cell["run"].get<std::string>() + "/cells/0"))
      << "by its whole id it is read alone";
  EXPECT_EQ(cell["cell"]["variants"][1]["samples"]["ns"].size(), 3u);
  const Json memory = cell["cell"]["variants"][0]["memory"];
  EXPECT_EQ(memory["peak_mb"], 4.0);
  EXPECT_EQ(memory["allocated_mb"], 1.0);
  EXPECT_EQ(memory["reserved_mb"], 5.0);
  EXPECT_TRUE(memory["memory_savings_pct"].is_null());
  EXPECT_EQ(cell["cell"]["variants"][1]["memory"]["memory_savings_pct"], 75.0);
  asking.refused("/api/v1/runs/20261115-10/cells/2", 404);
  for (const char* bad : {"-1", "x", "0x0", "1.0", "99999999999999999999"})
    asking.refused(std::string("/api/v1/runs/20261115-10/cells/") + bad, 400);
  asking.refused("/api/v1/cells/999999", 404);
  asking.refused("/api/v1/cells/x", 400);
}

TEST_F(Routes, TheSummaryCountsAndChangesWithTheData) {
  Json summary = asking.json("/api/v1/summary");
  EXPECT_EQ(summary["store"]["runs"], 2);
  EXPECT_EQ(summary["store"]["cells"], 3);
  EXPECT_EQ(summary["verdicts"]["invalid"], 1);
  EXPECT_EQ(summary["verdicts"]["valid"], 4);
  ASSERT_EQ(summary["rejected"].size(), 1u);
  EXPECT_EQ(summary["rejected"][0]["variant"], "online");
  // Which guard, and what it said; neither those that passed nor those that were waived.
  const Json& reasons = summary["rejected"][0]["reasons"];
  ASSERT_EQ(reasons.size(), 1u) << reasons;
  EXPECT_EQ(reasons[0]["guard"], "output_written");
  EXPECT_EQ(reasons[0]["because"], "8 of 8 held poison");
  EXPECT_EQ(reasons[0]["hint"], "write it");
  EXPECT_EQ(summary["hardware"][0], "box");
  EXPECT_EQ(summary["leaders"][0]["place"]["variant"], "tiled");
  EXPECT_EQ(summary["recent"].size(), 2u);
  const std::string tag = header(asking.get("/api/v1/summary"), "ETag");
  asking.keep("20261115-120000-cccc", {cell_of("ch09/softmax", "n=8", {{"naive", 90}, {"online", 30}})});
  summary = asking.json("/api/summary");
  EXPECT_EQ(summary["store"]["runs"], 3);
  EXPECT_EQ(summary["verdicts"]["invalid"], 0);
  EXPECT_NE(header(asking.get("/api/v1/summary"), "ETag"), tag);
}

// Gains of 50 and 51 ns that overlap, rounds in which the second is surely faster.
TEST_F(Routes, TheSummaryHasTheLeadersThatRoundsDecide) {
  CellResult cell = cell_of("ch07/coalescing", "n=8", {{"naive", 1000}, {"first", 50}, {"second", 51}});
  aisp::store::test::sample_rounds(cell, {1000, 51, 50});
  asking.keep("20261115-120000-dddd", {cell});
  const Json place = asking.json("/api/v1/summary")["leaders"][0]["place"];
  EXPECT_EQ(place["variant"], "second");
  EXPECT_EQ(place["tied"], false);
  EXPECT_EQ(asking.json("/api/v1/analysis/leaderboards?workload=ch07/coalescing")["leaders"][0]["place"],
            place);
}

TEST_F(Routes, EveryQuestionAnswersAsItsCommandDoes) {
  auto opened = aisp::store::Store::open(asking.store(), aisp::store::Access::read_only);
  ASSERT_TRUE(opened);
  static aisp::store::Store* cells = nullptr;  // an Ask has no room for it
  cells = &*opened;
  const cli::Ask leaders = [](const cli::Arguments& about, const cli::FigureSource& source) {
    return cli::ask_leaderboard(about, source, cells);
  };
  const std::map<std::string, cli::Ask> questions{
      {"leaderboards", leaders},         {"pareto", cli::ask_pareto},
      {"tradeoffs", cli::ask_tradeoffs}, {"recommendations", cli::ask_recommendations},
      {"whatif", cli::ask_whatif},       {"power", cli::ask_power},
      {"cost", cli::ask_cost},           {"scaling", cli::ask_scaling}};
  cli::Arguments arguments;
  arguments.values = {{"json", {"true"}}, {"store", {asking.store()}}};
  for (const auto& [name, ask] : questions) {
    arguments.values["top"] = {name == "recommendations" || name == "cost" ? "10" : "20"};
    const Result<cli::Answer> said = ask(arguments, cli::chosen_figures);
    ASSERT_TRUE(said) << name;
    const Response response = asking.get("/api/v1/analysis/" + name);
    EXPECT_EQ(response.status, 200) << name << response.body;
    EXPECT_EQ(response.body, cli::document_of(*said)) << name;
    EXPECT_EQ(asking.get("/api/analysis/" + name).body, response.body) << name;
    EXPECT_TRUE(Json::parse(response.body).contains("cannot_tell"));
    asking.refused("/api/v1/analysis/" + name + "?nonsense=1", 400);
    asking.refused("/api/v1/analysis/" + name + "?workload=ch99", 400);
    EXPECT_EQ(asking.get("/api/v1/analysis/" + name + "?device=nowhere").status, 200);
  }
}

TEST_F(Routes, ParametersAreThoseOfTheFlags) {
  const auto leaders = [&](const std::string& query) {
    return asking.json("/api/v1/analysis/leaderboards?" + query)["leaders"].size();
  };
  EXPECT_EQ(leaders(""), 1u);
  EXPECT_EQ(leaders("workload=ch07"), 1u);
  EXPECT_EQ(leaders("workload=ch09"), 0u) << "a baseline alone proves no gain";
  EXPECT_EQ(leaders("goal=memory"), 0u);
  EXPECT_EQ(leaders("device=box&top=1"), 1u);
  EXPECT_EQ(leaders("offset=1"), 0u) << "one behind the last is an empty page";
  EXPECT_TRUE(
      asking.json("/api/v1/analysis/leaderboards?workload=ch07&workload=ch09/softmax").contains("standings"));
  EXPECT_EQ(asking.json("/api/v1/analysis/pareto?by=time&by=memory")["schema"], "aisp.pareto");
  for (const char* bad :
       {"leaderboards?top=0", "leaderboards?top=1001", "cost?top=1001", "leaderboards?top=many",
        "leaderboards?goal=beauty", "pareto?by=time", "pareto?by=beauty", "whatif?latency=-1",
        "whatif?vram=nan", "whatif?param=4096", "cost?rate=free", "cost?price=x", "leaderboards?top=1&top=2",
        "pareto?offset=-1", "whatif?offset=many", "power?offset=1.5", "leaderboards?offset=1&offset=2"})
    asking.refused(std::string("/api/v1/analysis/") + bad, 400);
  const Json options = asking.json("/api/v1/analysis/whatif?workload=ch07&latency=0.0001&top=3");
  EXPECT_EQ(options["schema"], "aisp.whatif");
}

TEST_F(Routes, StackingIsReadFromRawRounds) {
  const Json before = asking.json("/api/v1/analysis/stacking?workload=ch07/transpose");
  EXPECT_EQ(before["schema"], "aisp.stacking");
  EXPECT_EQ(before["cannot_tell"], true);
  EXPECT_EQ(before["needs"], "`aisp run ch07/transpose --combinations`");
  asking.refused("/api/v1/analysis/stacking?workload=ch99", 400);
  asking.refused("/api/v1/analysis/stacking?nonsense=1", 400);
  asking.refused("/api/v1/analysis/stacking?top=0", 400);

  CellResult cell =
      cell_of("ch07/transpose", "n=64", {{"naive", 9}, {"naive+a", 8}, {"naive+b", 7}, {"naive+a+b", 6}});
  const double ns[] = {100, 50, 80, 20};
  for (std::size_t i = 0; i < 4; ++i) {
    for (int round = 0; round < 24; ++round) {
      cell.variants[i].samples.attempt.push_back(0);
      cell.variants[i].samples.round.push_back(round);
      cell.variants[i].samples.ns.push_back(ns[i] * (1 + 0.01 * (round % 7)));
    }
  }
  asking.keep("20261115-130000-dddd", {cell});
  const Json after = asking.json("/api/v1/analysis/stacking?workload=ch07/transpose&top=1");
  EXPECT_EQ(after["cannot_tell"], false);
  const Json pair = after["combinations"][0]["interactions"][0];
  EXPECT_NEAR(pair["ratio"]["ratio"].get<double>(), 2, 1e-9) << "5 over 2 times 1.25";
  EXPECT_EQ(pair["reading"], "help each other");
  EXPECT_EQ(asking.get("/api/analysis/stacking").body, asking.get("/api/v1/analysis/stacking").body);
}

TEST_F(Routes, Comparisons) {
  const Json compared = asking.json("/api/v1/compare?first=20261115-10&second=latest");
  EXPECT_EQ(compared["schema"], "aisp.compare");
  EXPECT_EQ(compared["comparisons"].size(), 2u);
  asking.refused("/api/v1/compare?first=latest", 400);
  asking.refused("/api/v1/compare?first=latest&second=nobody", 400);
  asking.refused("/api/v1/compare?first=latest&second=latest", 400);
  asking.refused("/api/v1/compare?first=naive&second=tiled&run=latest", 400);
  const Json variants =
      asking.json("/api/v1/compare?run=latest&workload=ch07/transpose&first=naive&second=tiled");
  EXPECT_EQ(variants["run"], "20261115-110000-bbbb");
  asking.refused("/api/v1/compare?run=latest&workload=ch07/transpose&first=naive&second=none", 400);
}

}  // namespace
}  // namespace aisp::server::test
