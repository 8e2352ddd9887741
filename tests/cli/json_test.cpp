// SPDX-License-Identifier: Apache-2.0
// With --json every command prints one object that says what it is, and every error is one too.
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "aisp/cli/command.h"
#include "aisp/cli/json_document.h"
#include "tests/cli/stored_run.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

/// How each command is asked here; several forms where they print different things.
std::map<std::string, std::vector<Words>> forms(const std::string& run) {
  const Words quick{"--plugin",     plugin("pace"), "--cell-seconds", "0.2",
                    "--max-rounds", "24",           "--attempts",     "1"};
  Words dry{"pace/fast", "--dry-run"}, pair{"pace/fast", "honest", "same"};
  dry.insert(dry.end(), quick.begin(), quick.end());
  pair.insert(pair.end(), quick.begin(), quick.end());
  return {
      {"list", {{}, {"chapters"}, {"--names"}, {"ch07/transpose"}}},
      {"run", {dry}},
      {"compare", {pair, {run, "latest"}}},
      {"verify", {{"ch08/ilp"}}},
      {"show", {{}, {"--runs"}, {"--best"}}},
      {"report",
       {{"-o", "-"},
        {"--format", "markdown"},
        {"-o", "written.html"},
        {"--format", "lessons", "-o", "pages"}}},
      {"export",
       {{},
        {"--format", "csv"},
        {"--format", "junit"},
        {"--format", "google-benchmark"},
        {"--format", "expectations"},
        {"-o", "written"}}},
      {"peak", {{"--seconds", "1", "--no-store"}}},
      {"doctor", {{}}},
      {"explain", {{}, {"14"}, {"output_written"}, {"stale", "cache"}}},
      {"tune", {{"--list"}, {"--forget"}}},
      {"replay", {{}}},
      {"expectations", {{"--from", "."}, {"--from", ".", "--ladder"}}},
      {"analyze", {{}, {"leaderboard"}, {"whatif", "--latency", "1"}}},
      {"leaderboard", {{}, {"pace/fast"}}},
      {"pareto", {{}, {"--by", "time", "--by", "error"}}},
      {"tradeoffs", {{}}},
      {"whatif", {{"--vram", "24", "--max-error", "1"}, {"--param", "n=1"}}},
      {"scaling", {{}}},
      {"power", {{}}},
      {"cost", {{"--rate", "1"}, {"--gpu", "B200"}}},
      {"recommendations", {{}}},
      {"stacking", {{}, {"ch07/transpose"}}},
      {"serve", {{"--help"}}},  // goes on until it is ended: tests/server asks it
      {"tui", {{"--help"}}},    // for people: tests/tui works with it
      {"store", {{"check"}, {"prune", "--keep", "1", "--dry-run"}, {"migrate"}, {"merge", "results.db"}}},
      {"new", {{"prefix_sum"}}},
      {"history", {{}, {"--all"}, {"--github"}, {"--unproven", "--junit", "history.xml", "--svg", "h.svg"}}},
      {"utils", {{"probe-hw"}, {"kv-cache", "--layers", "2", "--hidden", "64", "--tokens", "10"}}},
      {"probe-hw", {{}}},
      {"kv-cache", {{"--layers", "2", "--hidden", "64", "--tokens", "10", "--dtype", "fp4"}}},
      {"cost-per-token", {{"--power", "800", "--throughput", "1500", "--electricity", "0.16"}}},
      {"cluster-size",
       {{"--parameters", "8",          "--kv-bytes", "131072",    "--prompt",     "500",       "--output",
         "100",          "--requests", "3",          "--ttft-ms", "900",          "--tpot-ms", "60",
         "--gpu-gib",    "80",         "--gpu-gbs",  "3000",      "--gpu-tflops", "900"}}},
      {"help", {{}, {"run"}}},
      {"version", {{}}},
      {"completions", {{}, {"fish"}}},
      {"man", {{}}}};
}

void expect_document(const Finished& finished, const std::string& what) {
  const Json json = finished.json();
  ASSERT_TRUE(json.is_object()) << what << ": " << finished.exit_code << finished.out << finished.err;
  ASSERT_TRUE(json.contains("schema") && json["schema"].is_string())
      << what << ": " << json.dump().substr(0, 200);
  EXPECT_EQ(json["schema"].get<std::string>().rfind("aisp.", 0), 0u) << what;
  EXPECT_TRUE(json.contains("schema_version") && json["schema_version"].is_number_integer()) << what;
}

TEST(JsonOutput, OfEveryCommandIsOneDocument) {
  Sandbox box;
  const Json stored = store_a_run(box).json();
  ASSERT_TRUE(stored.contains("id")) << stored.dump();
  std::filesystem::copy_file(box.store(), box.directory / "results.db");
  ASSERT_EQ(box.run({"export", "--format", "expectations", "-o", "expectations.json"}).exit_code, 0);
  const auto table = forms(stored["id"].get<std::string>());
  for (const cli::Command* command : cli::commands()) {
    if (command->hidden) continue;
    ASSERT_TRUE(table.contains(command->name)) << "say here how to ask " << command->name;
    for (const Words& form : table.at(command->name)) {
      Words words{command->name, "--json", "--quiet"};
      words.insert(words.end(), form.begin(), form.end());
      std::string what;
      for (const std::string& word : words) what += word + " ";
      expect_document(box.run(words), what);
    }
  }
}

TEST(JsonOutput, SaysItsVersionWhichGrowsAlone) {
  const Json changed = Json::parse(cli::json_document("history", Json::object()));
  const Json first = Json::parse(cli::json_document("list", Json::object()));
  EXPECT_EQ(changed["schema_version"], cli::document_version("history"));
  EXPECT_GT(changed["schema_version"], first["schema_version"]);
  EXPECT_EQ(first["schema_version"], 1);
}

TEST(JsonOutput, OfErrorsIsOneDocumentALine) {
  Sandbox box;
  for (const Words& words : {Words{"lst", "--json"}, Words{"--json", "list", "--gaol", "x"},
                             Words{"show", "--json"}, Words{"run", "--json", "nothing"},
                             Words{"run", "--json", "ch08/ilp", "--profile", "minimal", "--attempts", "x"},
                             Words{"help", "--json", "lst"}}) {
    const Finished refused = box.run(words);
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_EQ(refused.out, "");
    std::istringstream lines(refused.err);
    std::string last;
    for (std::string line; std::getline(lines, line); last = line)
      EXPECT_TRUE(Json::parse(line, nullptr, false).is_object()) << line;
    const Json error = Json::parse(last, nullptr, false);
    ASSERT_TRUE(error.contains("error")) << refused.err;
    EXPECT_EQ(error["schema"], "aisp.error");
    EXPECT_EQ(error["error"]["code"], refused.exit_code);
  }
}

TEST(JsonOutput, OfNotesIsOneDocumentALine) {
  Sandbox box;  // without ceilings: the run begins with a note that they are measured
  const Finished run = box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--json", "--cell-seconds",
                                "0.2", "--max-rounds", "24", "--attempts", "1"});
  EXPECT_NE(run.err, "");
  std::istringstream lines(run.err);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(Json::parse(line, nullptr, false).is_object()) << line;
}

TEST(JsonOutput, OfAnExplanationHasFields) {
  Sandbox box;
  const Json guard = box.run({"explain", "output_written", "--json"}).json();
  ASSERT_EQ(guard["guards"].size(), 1u) << guard.dump();
  EXPECT_EQ(guard["guards"][0]["guard"], "output_written");
  EXPECT_TRUE(guard["issues"].empty());
  const Json issue = box.run({"explain", "14", "--json"}).json();
  ASSERT_EQ(issue["issues"].size(), 1u) << issue.dump();
  EXPECT_EQ(issue["issues"][0]["issue"], 14);
  EXPECT_EQ(box.run({"explain", "--json"}).json()["issues"].size(), 95u);
}

}  // namespace
}  // namespace aisp::testing
