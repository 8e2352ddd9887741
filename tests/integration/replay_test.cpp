// SPDX-License-Identifier: Apache-2.0
// What a manifest says is enough to repeat a run from anywhere, and `aisp replay` names what has changed
// since.
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

class Replay : public ::testing::Test {
 protected:
  Replay() {
    box.give_ceilings();
    std::filesystem::copy_file(plugin("pace"), own);
    first = box.run({"run", "pace/fast", "--plugin", "own.so", "--json", "--cell-seconds", "0.2",
                     "--max-rounds", "24", "--attempts", "1"});
  }

  Sandbox box;
  std::filesystem::path own = box.directory / "own.so";
  Finished first;
};

TEST_F(Replay, WorksFromAnotherDirectory) {
  box.directory = box.root();
  const Finished again = box.run({"replay"});
  EXPECT_TRUE(again.exit_code == 0 || again.exit_code == 1) << again.err;
  EXPECT_NE(again.out.find("repeated as"), std::string::npos) << again.out;
  EXPECT_EQ(again.out.find("SHA-256"), std::string::npos) << "nothing was changed: " << again.out;
}

TEST_F(Replay, NamesAPluginThatChanged) {
  std::ofstream(own, std::ios::app) << "one byte more";
  const Finished again = box.run({"replay"});
  EXPECT_NE(again.out.find("SHA-256 of plugin " + own.string()), std::string::npos) << again.out;
}

TEST_F(Replay, RepeatsAComparisonOfBuilds) {
  const Finished compared =
      box.run({"compare", "pair/double", "--build", plugin("pair_honest"), plugin("pair_honest"),
               "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1", "--json"});
  ASSERT_FALSE(compared.json().value("run", "").empty()) << compared.err;
  const Finished again = box.run({"replay", "--json"});
  ASSERT_TRUE(again.json().contains("now")) << again.err;
  const Json run = box.run({"show", "latest", "--json"}).json();
  EXPECT_TRUE(was_measured(variant_of(only_cell(run), "new/step")));
}

TEST_F(Replay, TakesOneRun) { EXPECT_EQ(box.run({"replay", "latest", "latest"}).exit_code, 2); }

TEST_F(Replay, TheManifestNamesWhatWasMeasured) {
  const Json run = first.json();
  ASSERT_TRUE(run.contains("manifest")) << first.err;
  std::set<std::string> names;
  for (const Json& fact : run["manifest"]["facts"]) {
    EXPECT_TRUE(names.insert(fact["name"].get<std::string>()).second) << fact["name"] << " stands twice";
  }
  EXPECT_TRUE(names.contains("SHA-256 of plugin " + own.string()));
  EXPECT_TRUE(names.contains("flags of workloads"));
  EXPECT_FALSE(names.contains("kernel command line")) << "it can hold what nobody should publish";
  bool loaded = false;
  for (const Json& library : only_cell(run).value("libraries", Json::array()))
    loaded = loaded || library["name"] == own.string();
  EXPECT_TRUE(loaded) << "workers say what they have loaded";
}

}  // namespace
}  // namespace aisp::testing
