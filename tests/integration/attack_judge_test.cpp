// SPDX-License-Identifier: Apache-2.0
// An attack on a GPU counts as caught when the guard meant for it names it: not by any rejection, by a crash,
// or by a rejection of its neighbour. Judged here on a CPU's attack under a GPU's name.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class AttackJudge : public ::testing::Test {
 protected:
  void SetUp() override {
    box.give_ceilings();
    stale = box.run({"run", "--plugin", plugin("dishonest"), "dishonest/stale", "--json", "--cell-seconds",
                     "0.3", "--max-rounds", "24", "--attempts", "1"})
                .out;
    stale = replaced(stale, "\"honest\"", "\"baseline\"");
  }

  /// As if `variant` of the run were the attack of that name.
  Finished judged(const std::string& name, const std::string& exit_code, const std::string& variant) {
    std::string text = replaced(stale, "dishonest/stale", "attack/" + name);
    text = replaced(text, "\"" + variant + "\"", "\"" + name + "\"");
    const auto file = box.root() / "run.json";
    std::ofstream(file) << text;
    return box.run(
        {std::string(AISP_SOURCE_DIR) + "/tools/gpu_attacks.sh", "--judge", name, exit_code, file.string()},
        "bash");
  }

  Sandbox box;
  std::string stale;  ///< rejected by answer_right and answer_fresh
};

TEST_F(AttackJudge, AsksForTheGuardThatIsMeant) {
  const Finished caught = judged("kept_in_memory", "1", "stale");
  EXPECT_EQ(caught.exit_code, 0) << caught.out;
  EXPECT_NE(caught.out.find("caught by answer_right answer_fresh"), std::string::npos) << caught.out;
  const Finished other = judged("late_stream", "1", "stale");
  EXPECT_EQ(other.exit_code, 1) << "rejected, but not by device_work_in_window: " << other.out;
  EXPECT_NE(other.out.find("NOT caught by device_work_in_window"), std::string::npos) << other.out;
}

TEST_F(AttackJudge, CountsNoCrashButTheOneThatIsThePoint) {
  EXPECT_EQ(judged("kept_in_memory", "8", "stale").exit_code, 1);
  EXPECT_EQ(judged("persistent_kernel", "8", "stale").exit_code, 1) << "nobody says what is still running";
  stale += "\"what it started on the device is still running\"\n";
  EXPECT_EQ(judged("persistent_kernel", "8", "stale").exit_code, 0);
  EXPECT_EQ(judged("persistent_kernel", "1", "stale").exit_code, 1);
}

TEST_F(AttackJudge, HoldsARejectedNeighbourAgainstIt) {
  stale = replaced(replaced(replaced(stale, "\"baseline\"", "\"other\""), "\"stale\"", "\"baseline\""),
                   "\"twin\"", "\"stale\"");
  const Finished blamed = judged("kept_in_memory", "1", "stale");
  EXPECT_EQ(blamed.exit_code, 1);
  EXPECT_NE(blamed.out.find("honest baseline was rejected"), std::string::npos) << blamed.out;
}

TEST_F(AttackJudge, LetsHonestTwinsPass) {
  EXPECT_EQ(judged("honest_again", "9", "twin").exit_code, 0);
  EXPECT_EQ(judged("honest_again", "1", "stale").exit_code, 1);
}

}  // namespace
}  // namespace aisp::testing
