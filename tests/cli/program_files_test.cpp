// SPDX-License-Identifier: Apache-2.0
// What a run executes is hashed by content, and a plugin that is replaced in mid-run is noticed.
#include "aisp/cli/program_files.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

using cli::ProgramFiles;

TEST(ProgramFiles, HashesTheProgramAndItsPluginsByContent) {
  const Sandbox box;
  RunConfig config;
  config.plugins = {box.write("one.so", "abc")};
  ProgramFiles files(config);
  const std::vector<Fact> facts = files.facts();
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts[0].name, "SHA-256 of aisp");
  EXPECT_TRUE(facts[0].value);
  EXPECT_EQ(facts[1].value, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ProgramFiles, NoticesContentAndNothingElse) {
  const Sandbox box;
  RunConfig config;
  config.plugins = {box.write("one.so", "abc")};
  ProgramFiles files(config);
  std::vector<Fact> facts = files.facts();
  facts.push_back({"kernel", "6.1"});  // of a manifest; not about a file
  const std::string before = ProgramFiles::hash(facts);
  EXPECT_EQ(files.hash_now(facts), before);
  std::filesystem::rename(box.write("two.so", "abc"), config.plugins[0]);
  EXPECT_EQ(files.hash_now(facts), before) << "another file with the same content";
  std::filesystem::rename(box.write("two.so", "abd"), config.plugins[0]);
  EXPECT_NE(files.hash_now(facts), before);
  box.write("one.so", "abc");
  EXPECT_EQ(files.hash_now(facts), before);
  std::filesystem::remove(config.plugins[0]);
  EXPECT_NE(files.hash_now(facts), before);
}

std::string level_of(const Json& run, const std::string& variant, const std::string& guard) {
  for (const Json& v : run["cells"][0]["variants"]) {
    if (v["name"] != variant) continue;
    for (const Json& finding : v["findings"])
      if (finding["guard"] == guard) return finding["level"];
  }
  throw std::invalid_argument("no finding of " + guard);
}

TEST(ProgramFiles, APluginReplacedDuringARunIsRejected) {
  Sandbox box;
  box.give_ceilings();
  const std::filesystem::path own = box.root() / "own.so", beacon = box.root() / "beacon",
                              go = box.root() / "go";
  std::filesystem::copy_file(plugin("waiting"), own);
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  box.environment["AISP_TEST_GO"] = go.string();
  Process running = box.start({"run", "--plugin", own.string(), "waiting/once", "--json", "--cell-seconds",
                               "0.2", "--max-rounds", "24", "--attempts", "1"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  // As a linker or an installer would: the loaded file stays whole, its name leads to another.
  const std::filesystem::path rebuilt = box.root() / "rebuilt.so";
  std::filesystem::copy_file(own, rebuilt);
  std::ofstream(rebuilt, std::ios::app) << "one byte more";
  std::filesystem::rename(rebuilt, own);
  std::ofstream(go) << "go\n";
  const Finished run = running.wait();
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const Json json = run.json();
  ASSERT_TRUE(json.contains("cells")) << run.err;
  EXPECT_EQ(level_of(json, "waits", "program_unchanged"), "reject");
  EXPECT_EQ(level_of(json, "waits", "config_unchanged"), "pass");
}

}  // namespace
}  // namespace aisp::testing
