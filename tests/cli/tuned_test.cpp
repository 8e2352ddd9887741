// SPDX-License-Identifier: Apache-2.0
// `aisp run --tuned`, `aisp tune --list` and `--forget` on a store that knows what it was given: whose values
// are used, and whose are not. Searching is tested in tests/integration/tune_test.cpp.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "aisp/cli/run_config.h"
#include "aisp/cli/tune_parts.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"
#include "tests/store/figures_fixture.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

class Tuned : public ::testing::Test {
 protected:
  Tuned() { box.give_ceilings(); }

  static std::string build_with(const std::string& library) {
    return *cli::file_sha256(AISP_PROGRAM) + "+" + *cli::file_sha256(library);
  }
  static Tuning known() {
    Tuning tuning;
    tuning.workload = "tunable/settled";
    tuning.variant = "open";
    tuning.parameters = tuning.tuned_on = "n=4096";
    tuning.device = "cpu";
    tuning.hardware = device::hardware_key();
    tuning.build = build_with(plugin("tunable"));
    tuning.chosen = "open@way=5";
    tuning.date = "2026-11-18T08:00:00Z";
    tuning.ratio = {.against = "open", .ratio = 1.5, .low = 1.4, .high = 1.6, .outcome = Outcome::faster};
    return tuning;
  }
  void keep(const Tuning& tuning) const {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->tuned(tuning));
  }
  Json run(Words words, const std::string& library = plugin("tunable")) {
    words.insert(words.begin(), {"run", "tunable/settled", "--plugin", library, "--json", "--cell-seconds",
                                 "0.2", "--max-rounds", "24", "--attempts", "1"});
    const Finished finished = box.run(words);
    said = finished.err;
    return finished.json();
  }
  static Words variants_of(const Json& run, std::size_t cell) {
    Words names;
    for (const Json& variant : run["cells"][cell]["variants"]) names.push_back(variant["name"]);
    return names;
  }
  static bool uses_tuned(const Json& run, std::size_t cell = 0) {
    return std::ranges::count(variants_of(run, cell), "open@way=5") == 1;
  }

  Sandbox box;
  std::string said;
};

TEST_F(Tuned, ValuesAreMeasuredBesideTheDeclaredOnesAndTheManifestSaysWhich) {
  keep(known());
  const Json run = this->run({"--param", "n=4096", "--tuned"});
  EXPECT_EQ(variants_of(run, 0), (Words{"honest", "open", "open@way=5"})) << said;
  EXPECT_EQ(run["manifest"]["config"]["tuned"],
            (Json::array({Json::array({"tunable/settled n=4096", "open@way=5"})})));
  EXPECT_NE(said.find("1 of 1"), std::string::npos) << said;
}

TEST_F(Tuned, NothingIsUsedUnasked) {
  keep(known());
  const Json run = this->run({"--param", "n=4096"});
  EXPECT_EQ(variants_of(run, 0), (Words{"honest", "open"}));
  EXPECT_TRUE(run["manifest"]["config"]["tuned"].empty());
}

TEST_F(Tuned, AnotherSizeDeviceBuildOrCacheDoesNotUseIt) {
  keep(known());
  const Json both = run({"--tuned"});
  ASSERT_EQ(both["cells"].size(), 2u);
  EXPECT_TRUE(uses_tuned(both, 0));
  EXPECT_FALSE(uses_tuned(both, 1)) << "another size";
  EXPECT_FALSE(uses_tuned(run({"--param", "n=4096", "--tuned", "--cache", "cold"})));

  const std::string other = (box.root() / "tunable.so").string();
  std::filesystem::copy_file(plugin("tunable"), other);
  std::ofstream(other, std::ios::app) << "built again";
  const Json rebuilt = run({"--param", "n=4096", "--tuned"}, other);
  ASSERT_EQ(rebuilt["cells"].size(), 1u) << said;
  EXPECT_FALSE(uses_tuned(rebuilt)) << "another build";
  EXPECT_NE(said.find("0 of 1"), std::string::npos) << said;

  Tuning elsewhere = known();
  elsewhere.parameters = elsewhere.tuned_on = "n=8192";
  elsewhere.hardware = "another box";
  keep(elsewhere);
  EXPECT_FALSE(uses_tuned(run({"--param", "n=8192", "--tuned"}))) << "another device";
}

TEST_F(Tuned, ARunIsRepeatedWithTheValuesItHad) {
  keep(known());
  run({"--param", "n=4096", "--tuned"});
  EXPECT_EQ(box.run({"tune", "--forget"}).exit_code, 0);
  const Finished again = box.run({"replay", "--json"});
  const Json shown = box.run({"show", "latest", "--json"}).json();
  EXPECT_TRUE(uses_tuned(shown)) << again.err;
}

TEST_F(Tuned, IsKeptApartByItsNameInHistoriesAndOnBoards) {
  {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    for (int run = 0; run < 6; ++run) {
      store::test::finish_run(*store, "r" + std::to_string(run),
                              {store::test::cell_of("ch07/transpose", "n=64",
                                                    {{"naive", 200}, {"tiled", 50}, {"tiled@tile=32", 40}})},
                              device::hardware_key());
    }
  }
  const std::string history = box.run({"history", "--all", "--json"}).out;
  const std::string board = box.run({"leaderboard", "ch07/transpose", "--json"}).out;
  for (const std::string& text : {history, board}) {
    EXPECT_NE(text.find("\"tiled\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"tiled@tile=32\""), std::string::npos) << text;
  }
}

TEST_F(Tuned, CanBeNamedByHandAndAWrongValueIsRefused) {
  const Json run = this->run({"--param", "n=4096", "--variant", "open@way=5"});
  EXPECT_EQ(variants_of(run, 0), (Words{"honest", "open@way=5"}));
  const Finished refused =
      box.run({"run", "tunable/settled", "--plugin", plugin("tunable"), "--variant", "open@way=77"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("way=0,5"), std::string::npos) << refused.err;
}

TEST_F(Tuned, ListsAndForgets) {
  const Finished none = box.run({"tune", "--list"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_NE(none.out.find("Nothing is tuned"), std::string::npos) << none.out;
  keep(known());
  Tuning old = known();
  old.build = "0123";
  old.parameters = "n=8192";
  keep(old);
  const Json listed = box.run({"tune", "--list", "--json"}).json();
  ASSERT_EQ(listed["tunings"].size(), 2u);
  EXPECT_TRUE(listed["tunings"][0]["this_build"]);
  EXPECT_FALSE(listed["tunings"][1]["this_build"]);
  const std::string text = box.run({"tune", "--list", "tunable"}).out;
  EXPECT_NE(text.find("open@way=5"), std::string::npos) << text;
  EXPECT_NE(text.find("tuned on n=4096, by another build"), std::string::npos) << text;
  EXPECT_EQ(box.run({"tune", "--forget", "ch07"}).out, "0 forgotten\n");
  EXPECT_EQ(box.run({"tune", "--forget"}).out, "2 forgotten\n");
  EXPECT_TRUE(box.run({"tune", "--list", "--json"}).json()["tunings"].empty());
}

TEST_F(Tuned, AStoreThatIsNoneIsAnErrorThatSaysSo) {
  box.write("results.db", "this is no store");
  const Finished listed = box.run({"tune", "--list"});
  EXPECT_EQ(listed.exit_code, 6) << listed.out << listed.err;
  const Finished refused =
      box.run({"run", "tunable/settled", "--plugin", plugin("tunable"), "--param", "n=4096", "--tuned"});
  EXPECT_EQ(refused.exit_code, 6) << refused.err;
  EXPECT_NE(refused.err.find("results.db"), std::string::npos) << refused.err;
}

TEST_F(Tuned, WhatCannotBeTunedIsToldBeforeAnythingIsMeasured) {
  const Finished nothing = box.run({"tune", "ch08/ilp"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_NE(nothing.err.find("declares parameters"), std::string::npos) << nothing.err;
  EXPECT_EQ(box.run({"tune"}).exit_code, 2);
  EXPECT_EQ(box.run({"tune", "ch07/transpose", "--held-out", "m=3"}).exit_code, 2);
  EXPECT_EQ(box.run({"run", "ch07/transpose", "--tuned", "--launcher", "slurm"}).exit_code, 2);
}

TEST(TuneReport, CallsNobodySlowerWhoseIntervalHoldsOne) {
  cli::TuneOutcome outcome{.fallbacks = "tile=16"};
  const auto lost = [&](const char* name, double ratio, double low, double high) {
    outcome.search.contenders.push_back({.name = name,
                                         .fate = harness::Fate::slower,
                                         .why = "in the slower half",
                                         .ratio = RatioEstimate{.ratio = ratio, .low = low, .high = high}});
  };
  lost("open", 0.3, 0.1, 2.7);
  lost("behind", 0.5, 0.4, 0.6);
  const std::string text = cli::tune_text(outcome);
  const auto line_of = [&](const std::string& name) {
    const std::size_t at = text.find("  " + name);
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_NE(line_of("open").find("inconclusive "), std::string::npos) << text;
  EXPECT_NE(line_of("behind").find("slower "), std::string::npos) << text;
  EXPECT_NE(text.find("nothing was faster than the declared values"), std::string::npos) << text;
  const std::string json = cli::tune_json({outcome}, "here");
  EXPECT_NE(json.find("\"fate\": \"inconclusive\""), std::string::npos) << json;
}

}  // namespace
}  // namespace aisp::testing
