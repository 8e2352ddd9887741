// SPDX-License-Identifier: Apache-2.0
// `aisp tune` on workloads whose truth is programmed (tests/plugins/tunable.cpp): what is fast, wrong,
// crashing or fast at one size only must come out as that.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

class Tune : public ::testing::Test {
 protected:
  Tune() { box.give_ceilings(); }

  Words words(const std::string& workload, const Words& more = {}) const {
    Words all{"tune",   workload,         "--plugin", plugin("tunable"), "--param", "n=4096",
              "--json", "--cell-seconds", "2",        "--attempts",      "1",       "--held-out",
              "n=6000", "--policy",       "portable"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json tune(const std::string& workload, const Words& more = {}) {
    finished = box.run(words(workload, more));
    const Json json = finished.json();
    if (!json.contains("outcomes") || json["outcomes"].empty()) {
      ADD_FAILURE() << finished.exit_code << finished.out << finished.err;
      return Json::object();
    }
    return json["outcomes"][0];
  }
  static Json of(const Json& outcome, const std::string& configuration) {
    for (const Json& each : outcome["configurations"])
      if (each["configuration"] == configuration) return each;
    return Json::object();
  }
  static bool says(const Json& text, const std::string& what) {
    return text.is_string() && text.get<std::string>().find(what) != std::string::npos;
  }
  std::size_t kept() { return box.run({"tune", "--list", "--json"}).json()["tunings"].size(); }

  Sandbox box;
  Finished finished;
};

TEST_F(Tune, FindsTheFastOneAndThrowsOutWhatIsWrongOrCrashes) {
  const Json outcome = tune("tunable/known");
  EXPECT_EQ(outcome["winner"], "open@way=1") << finished.out << finished.err;
  EXPECT_EQ(of(outcome, "open@way=2")["fate"], "thrown out");
  EXPECT_TRUE(says(of(outcome, "open@way=2")["why"], "answer_right")) << of(outcome, "open@way=2");
  EXPECT_EQ(of(outcome, "open@way=3")["fate"], "thrown out");
  EXPECT_TRUE(says(of(outcome, "open@way=3")["why"], "SIGABRT")) << of(outcome, "open@way=3");
  EXPECT_EQ(of(outcome, "open@way=5")["fate"], "slower");
  EXPECT_EQ(of(outcome, "open@way=6")["fate"], "pruned");
  EXPECT_EQ(of(outcome, "open@way=6")["why"], "there is no such way");
  ASSERT_EQ(outcome["judged"].size(), 2u);
  for (const Json& size : outcome["judged"]) {
    EXPECT_EQ(size["verdict"], "faster") << size;
    EXPECT_NEAR(size["ratio"]["ratio"].get<double>(), 2, 0.4);
    EXPECT_TRUE(size["kept"]);
  }
  EXPECT_FALSE(outcome["judged"][0]["held_out"]);
  EXPECT_EQ(outcome["judged"][1]["parameters"], "n=6000");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_NE(finished.err.find("answer_right"), std::string::npos) << "told while it goes on";
  EXPECT_EQ(kept(), 2u);

  const Json run = box.run({"run", "tunable/known", "--plugin", plugin("tunable"), "--param", "n=4096,8192",
                            "--tuned", "--json", "--cell-seconds", "0.2", "--attempts", "1"})
                       .json();
  EXPECT_EQ(run["cells"][0]["variants"].size(), 3u);
  EXPECT_EQ(run["cells"][0]["variants"][2]["name"], "open@way=1");
  EXPECT_EQ(run["cells"][1]["variants"].size(), 2u) << "nothing is known at n=8192";
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
}

TEST_F(Tune, AHangingOneIsEnded) {
  const Json outcome = tune("tunable/hang", {"--timeout", "3"});
  EXPECT_EQ(of(outcome, "open@way=4")["fate"], "thrown out") << finished.out << finished.err;
  EXPECT_TRUE(says(of(outcome, "open@way=4")["why"], "timed out")) << of(outcome, "open@way=4");
  EXPECT_EQ(outcome["winner"], "open@way=1");
  EXPECT_TRUE(box.alone());
}

TEST_F(Tune, WhatIsFastAtOneSizeOnlyIsNamedAndUsedThereAlone) {
  const Json outcome = tune("tunable/overfit");
  EXPECT_EQ(outcome["winner"], "open@way=1") << finished.out << finished.err;
  EXPECT_TRUE(outcome["overfit"]);
  ASSERT_EQ(outcome["judged"].size(), 2u);
  EXPECT_EQ(outcome["judged"][0]["verdict"], "faster");
  EXPECT_TRUE(outcome["judged"][0]["kept"]);
  EXPECT_EQ(outcome["judged"][1]["verdict"], "slower");
  EXPECT_TRUE(outcome["judged"][1]["held_out"]);
  EXPECT_FALSE(outcome["judged"][1]["kept"]);
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(kept(), 1u);
}

TEST_F(Tune, WithoutNamedSizesListedAndDrawnOnesAreJudged) {
  Words asked = words("tunable/overfit");
  asked.erase(std::ranges::find(asked, "--held-out"), std::ranges::find(asked, "--held-out") + 2);
  const Json outcome = box.run(asked).json()["outcomes"][0];
  ASSERT_EQ(outcome["judged"].size(), 3u) << outcome;
  EXPECT_EQ(outcome["judged"][1]["parameters"], "n=8192");
  EXPECT_TRUE(outcome["overfit"]);
}

TEST_F(Tune, WhatIsDeclaredStaysWhereNothingIsFaster) {
  const Json outcome = tune("tunable/settled");
  EXPECT_EQ(outcome["winner"], "") << finished.out;
  EXPECT_TRUE(outcome["judged"].empty());
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Tune, NothingIsComparedWithWhatCrashes) {
  const Json outcome = tune("tunable/broken");
  EXPECT_TRUE(says(outcome["error"], "SIGABRT")) << outcome;
  EXPECT_EQ(finished.exit_code, 8) << finished.err;
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Tune, ASpentBudgetEndsTheSearchAndSaysSo) {
  const Json outcome = tune("tunable/known", {"--time-budget", "0.001"});
  // As far as a first cell, where the machine was quick.
  EXPECT_TRUE(outcome["cut_short"] || outcome["judged"][0]["reason"] == "out of time") << finished.out;
  EXPECT_EQ(finished.exit_code, 4);
  EXPECT_EQ(kept(), 0u);
}

TEST_F(Tune, CtrlCKeepsWhatIsKnownAndCachesNothingUnjudged) {
  const auto beacon = box.root() / "beacon";
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  Process search = box.start(words("tunable/long", {"--cell-seconds", "600", "--precision", "1e-5"}));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  search.send(SIGINT);
  const Finished ended = search.wait();
  EXPECT_EQ(ended.exit_code, 130) << ended.err;
  const Json json = ended.json();
  ASSERT_TRUE(json.contains("outcomes")) << ended.out;
  EXPECT_TRUE(json["outcomes"][0]["cut_short"]);
  EXPECT_EQ(json["outcomes"][0]["configurations"].size(), 2u);
  EXPECT_TRUE(box.alone());
  box.environment.erase("AISP_TEST_BEACON");
  EXPECT_EQ(kept(), 0u);
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0);
}

}  // namespace
}  // namespace aisp::testing
