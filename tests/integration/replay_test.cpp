// SPDX-License-Identifier: Apache-2.0
// What a manifest says is enough to repeat a run from anywhere, and `aisp replay` names what has changed
// since.
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <sys/resource.h>

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

TEST_F(Replay, NamesAVariableThatPutsOtherLibrariesInPlace) {
  box.environment["LD_LIBRARY_PATH"] = "/opt/other/blas";
  const Finished again = box.run({"replay"});
  EXPECT_NE(again.out.find("none -> LD_LIBRARY_PATH=/opt/other/blas"), std::string::npos) << again.out;
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

TEST_F(Replay, ThatCouldNotBeStoredSaysSo) {
  const std::filesystem::path beacon = box.root() / "beacon", go = box.root() / "go";
  const std::string id = box.run({"run", "waiting/once", "--plugin", plugin("waiting"), "--json",
                                  "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1"})
                             .json()
                             .value("id", "");
  ASSERT_NE(id, "");
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  box.environment["AISP_TEST_GO"] = go.string();
  Process again = box.start({"replay", id});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  const rlimit full{4096, 4096};  // enough for what is printed
  ASSERT_EQ(prlimit(again.pid(), RLIMIT_FSIZE, &full, nullptr), 0);
  std::ofstream(go) << "go\n";
  const Finished ended = again.wait();
  EXPECT_TRUE(ended.exit_code == 6 || ended.exit_code == 7) << ended.exit_code << ended.out << ended.err;
}

TEST_F(Replay, ThatRanOutOfTimeIsNotProven) {
  const std::string id =
      box.run({"run", "pace/fast", "--plugin", "own.so", "--time-budget", "1e-6", "--json"})
          .json()
          .value("id", "");
  ASSERT_NE(id, "");
  const Finished again = box.run({"replay", id});
  EXPECT_EQ(again.exit_code, 4) << again.out << again.err;
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
