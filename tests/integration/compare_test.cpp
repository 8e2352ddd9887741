// SPDX-License-Identifier: Apache-2.0
// `aisp compare` of variants and of builds: what is measured is checked, judged and stored as in a run.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"
#include "tests/sanitized.h"

namespace aisp::testing {
namespace {

class Compare : public ::testing::Test {
 protected:
  Compare() { box.give_ceilings(); }

  Finished compared(std::vector<std::string> words) {
    words.insert(words.begin(), "compare");
    words.insert(words.end(), {"--cell-seconds", "0.3", "--max-rounds", "24", "--attempts", "3"});
    return box.run(words);
  }

  /// The line about the variant (the last word of what was compared).
  static Json line_about(const Json& answer, const std::string& variant) {
    for (const Json& line : answer.value("comparisons", Json::array())) {
      if (line["what"].get<std::string>().ends_with(variant)) return line;
    }
    return Json::object();
  }

  Sandbox box;
};

using CompareVariants = Compare;
using CompareBuilds = Compare;

TEST_F(CompareVariants, ARejectedVariantIsNeverFaster) {
  SKIP_WHEN_SANITIZED("times are its own");
  const Finished answer = compared(
      {"dishonest/unwritten", "honest", "unwritten", "--plugin", plugin("dishonest"), "--suite", "small"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_EQ(answer.out.find("faster"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("output_written"), std::string::npos) << answer.out;
}

TEST_F(CompareVariants, TheAnswerHasNoRatioForARejectedSide) {
  const Finished answer =
      compared({"dishonest/wrong", "honest", "wrong", "--plugin", plugin("dishonest"), "--json"});
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  const Json line = line_about(answer.json(), "n=4096");
  EXPECT_EQ(line.value("validity", ""), "invalid");
  EXPECT_TRUE(line["ratio"].is_null());
  EXPECT_NE(line.value("reason", "").find("answer_right"), std::string::npos) << line;
  const Json stored = box.run({"show", answer.json().value("run", ""), "--json"}).json();
  EXPECT_TRUE(rejected_by(variant_of(only_cell(stored), "wrong"), "answer_right")) << "it is stored";
}

TEST_F(CompareVariants, AWaiverIsHonouredAndStored) {
  const Finished answer = compared({"dishonest/wrong", "honest", "wrong", "--plugin", plugin("dishonest"),
                                    "--waive", "answer_right", "--policy", "portable", "--json"});
  EXPECT_NE(line_about(answer.json(), "n=4096").value("validity", ""), "invalid") << answer.out;
  const Json config = box.run({"show", "latest", "--json"}).json()["manifest"]["config"];
  EXPECT_EQ(config["waivers"], Json::array({"answer_right"}));
  EXPECT_EQ(config["policy"], "portable");
}

TEST_F(CompareVariants, OneVariantTwiceAndUnknownOnesAreRefused) {
  const Finished twice = compared({"pace/fast", "honest", "honest", "--plugin", plugin("pace")});
  EXPECT_EQ(twice.exit_code, 2) << twice.out;
  EXPECT_NE(twice.err.find("named twice"), std::string::npos) << twice.err;
  const Finished typo = compared({"pace/fast", "honest", "sane", "--plugin", plugin("pace")});
  EXPECT_EQ(typo.exit_code, 2) << typo.out;
  EXPECT_NE(typo.err.find("'same'"), std::string::npos) << typo.err;
}

TEST_F(CompareVariants, APatternLeavesOutWorkloadsThatLackOne) {
  const Finished answer = compared({"pace", "honest", "paced", "--plugin", plugin("pace"), "--json"});
  ASSERT_EQ(answer.json()["comparisons"].size(), 1u) << answer.err;
  EXPECT_EQ(answer.json()["comparisons"][0]["what"], "pace/slow n=262144");
}

TEST_F(CompareVariants, ARefusedCellDoesNotHideTheOthers) {
  SKIP_WHEN_SANITIZED("times are its own");
  const Finished partly =
      compared({"pace/*", "honest", "same", "--plugin", plugin("pace"), "--param", "n=1000000"});
  EXPECT_EQ(partly.exit_code, 4) << partly.out << partly.err;
  EXPECT_NE(partly.out.find("pace/fast n=1000000"), std::string::npos) << partly.out;
  EXPECT_NE(partly.err.find("pace/sized n=1000000: needs"), std::string::npos) << partly.err;
}

TEST_F(CompareBuilds, ARefusedCellDoesNotHideACrash) {
  const Finished partly =
      compared({"pace/sized", "hostile/crash", "--plugin", plugin("pace"), "--plugin", plugin("hostile"),
                "--build", AISP_PROGRAM, AISP_PROGRAM, "--param", "n=1000000"});
  EXPECT_EQ(partly.exit_code, 8) << partly.out << partly.err;
  EXPECT_NE(partly.err.find("pace/sized n=1000000: "), std::string::npos) << partly.err;
}

TEST_F(CompareBuilds, ANewBuildThatSkipsItsWorkIsRejected) {
  const Finished answer =
      compared({"pair/double", "--build", plugin("pair_honest"), plugin("pair_lazy"), "--json"});
  EXPECT_EQ(answer.exit_code, 1) << answer.out << answer.err;
  EXPECT_EQ(box.run({"show", "--runs", "--json"}).json()["runs"][0]["exit_code"], 1);
  const Json step = line_about(answer.json(), "step");
  EXPECT_EQ(step.value("validity", ""), "invalid") << answer.out;
  EXPECT_TRUE(step["ratio"].is_null());
  EXPECT_NE(step.value("reason", "").find("new/step: output_written"), std::string::npos) << step;
  EXPECT_NE(line_about(answer.json(), "twin").value("validity", ""), "invalid") << "the others stand";
}

TEST_F(CompareBuilds, AreStoredWithBothBuildsAndTheirEvidence) {
  const Finished answer =
      compared({"pair/double", "--build", plugin("pair_honest"), "--build", plugin("pair_lazy"), "--json"});
  const Json run = box.run({"show", answer.json().value("run", ""), "--json"}).json();
  ASSERT_TRUE(run.contains("manifest")) << answer.err;
  EXPECT_EQ(run["manifest"]["config"]["builds"], Json::array({plugin("pair_honest"), plugin("pair_lazy")}));
  int hashes = 0;
  for (const Json& fact : run["manifest"]["facts"]) {
    if (fact["name"].get<std::string>().starts_with("SHA-256 of the ")) ++hashes;
  }
  EXPECT_EQ(hashes, 2);
  const Json cell = only_cell(run);
  for (const char* name : {"old/honest", "new/honest", "old/step", "new/step"}) {
    EXPECT_TRUE(was_measured(variant_of(cell, name))) << name;
    EXPECT_GT(variant_of(cell, name)["evidence"]["answers"]["checked"].get<int>(), 0) << name;
  }
  EXPECT_FALSE(cell["aa"].is_null()) << "the baseline was compared with itself";
  EXPECT_EQ(box.run({"store", "check"}).exit_code, 0) << "its verdicts follow from its samples";
}

TEST_F(CompareBuilds, TheSameBuildTwiceIsNoRegression) {
  const Finished answer = compared({"pair/double", "--build", plugin("pair_honest"), plugin("pair_honest"),
                                    "--policy", "portable", "--json"});
  EXPECT_NE(answer.exit_code, 8) << answer.err;
  const Json lines = answer.json()["comparisons"];
  ASSERT_EQ(lines.size(), 3u) << answer.err;
  // One line in forty may be called slower by chance; all of them are not.
  int slower = 0;
  for (const Json& line : lines) slower += line["verdict"] == "slower" ? 1 : 0;
  EXPECT_LT(slower, 3) << answer.out;
}

TEST_F(CompareBuilds, ASlowDownIsFound) {
  SKIP_WHEN_SANITIZED("times are its own");
  const Finished answer = box.run({"compare", "pair/double", "--variant", "step", "--param", "n=262144",
                                   "--build", plugin("pair_honest"), plugin("pair_slow"), "--json",
                                   "--cell-seconds", "2", "--max-rounds", "48", "--policy", "portable"});
  const Json step = line_about(answer.json(), "step");
  EXPECT_EQ(step.value("verdict", ""), "slower") << answer.out;
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
}

TEST_F(CompareBuilds, HaveEquallyLongWindows) {
  // The lazy build's variant takes half the time, and alone would be called more often in a window.
  const Finished answer =
      compared({"pair/double", "--build", plugin("pair_honest"), plugin("pair_lazy"), "--json"});
  const Json cell = only_cell(box.run({"show", "latest", "--json"}).json());
  const Json calls = variant_of(cell, "old/honest")["samples"]["calls"];
  ASSERT_FALSE(calls.empty()) << answer.err;
  for (const char* name : {"old/honest", "new/honest", "old/step", "new/step"}) {
    const Json sampled = variant_of(cell, name)["samples"]["calls"];
    for (const Json& n : sampled) ASSERT_EQ(n, calls[0]) << name;
  }
}

TEST_F(CompareBuilds, ProgramsAreAskedForTheirOwnWorkloads) {
  const Finished answer =
      compared({"pace/fast", "--plugin", plugin("pace"), "--build", AISP_PROGRAM, AISP_PROGRAM, "--json"});
  ASSERT_EQ(answer.json()["comparisons"].size(), 3u) << answer.err;
  EXPECT_EQ(answer.json()["first"], AISP_PROGRAM);
}

TEST_F(CompareBuilds, TheTimeBudgetHolds) {
  const Finished answer = box.run({"compare", "pair/double", "--build", plugin("pair_honest"),
                                   plugin("pair_honest"), "--time-budget", "1", "--cell-seconds", "600",
                                   "--precision", "1e-5", "--max-rounds", "20000"});
  EXPECT_FALSE(answer.timed_out) << "the running cell must end too";
}

TEST_F(CompareBuilds, TheMemoryLimitHoldsForBoth) {
#ifdef AISP_SANITIZED
  GTEST_SKIP() << "a sanitizer reserves more address space than any limit";
#endif
  const Finished answer = compared(
      {"hostile/memory", "--build", plugin("hostile"), plugin("hostile"), "--json", "--memory-limit", "6e8"});
  EXPECT_EQ(answer.exit_code, 8) << answer.out << answer.err;
  const Json cell = only_cell(box.run({"show", "latest", "--json"}).json());
  for (const char* side : {"old/memory", "new/memory"}) {
    const std::string reason = reason_of(variant_of(cell, side));
    EXPECT_TRUE(reason.starts_with("out of memory:")) << side << ": " << reason;
  }
  EXPECT_TRUE(was_measured(variant_of(cell, "new/twin"))) << "the others are compared";
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST_F(CompareBuilds, UnusableBuildsAreNamed) {
  const auto text = box.write("not_a_program", "hello\n").string();
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string says;
  };
  for (const Case& c : std::vector<Case>{
           {{"pair/double", "--build", plugin("pair_honest")}, 2, "--build needs two"},
           {{"pair/double", "--build", plugin("pair_honest"), "/no/such.so"}, 3, "/no/such.so: there is no"},
           {{"pair/double", "--build", text, text}, 3, "neither a plugin"},
           {{"pair/double", "--build", "/bin/true", "/bin/true"}, 3, "build /bin/true"},
           {{"ch07/transpose", "--build", plugin("pair_honest"), plugin("pair_lazy")}, 2, "ch07/transpose"},
           {{"pair/double", "--build", plugin("pair_honest"), plugin("pace")},
            3,
            "has no workload 'pair/double'"},
       }) {
    const Finished answer = compared(c.words);
    EXPECT_EQ(answer.exit_code, c.code) << answer.err;
    EXPECT_NE(answer.err.find(c.says), std::string::npos) << answer.err;
  }
}

}  // namespace
}  // namespace aisp::testing
