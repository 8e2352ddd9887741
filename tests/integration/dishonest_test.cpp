// SPDX-License-Identifier: Apache-2.0
// A variant that returns something other than an honest answer is an invalid row with the guard that saw it.
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

struct Dishonest {
  std::string name;
  std::string guard;  ///< that must be among those which rejected it
};
void PrintTo(const Dishonest& dishonest, std::ostream* out) { *out << dishonest.name; }

class GuardRejects : public ::testing::TestWithParam<Dishonest> {};

TEST_P(GuardRejects, AndIsNamed) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("dishonest"), "dishonest/" + GetParam().name,
                                "--json", "--cell-seconds", "0.3", "--max-rounds", "24", "--attempts", "2"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const Json cell = only_cell(run.json());
  const Json variant = variant_of(cell, GetParam().name);
  EXPECT_EQ(variant.value("validity", ""), "invalid");
  EXPECT_TRUE(rejected_by(variant, GetParam().guard)) << variant["findings"].dump(1);
  // The honest variants stand: nothing was wrong with their answers.
  for (const char* honest : {"honest", "twin"}) {
    EXPECT_TRUE(was_measured(variant_of(cell, honest)));
    for (const char* guard : {"answer_right", "output_written", "inputs_unchanged", "bounds_respected"}) {
      EXPECT_FALSE(rejected_by(variant_of(cell, honest), guard)) << honest << " " << guard;
    }
  }
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    Every, GuardRejects,
    ::testing::Values(Dishonest{"wrong", "answer_right"}, Dishonest{"unwritten", "output_written"},
                      Dishonest{"stale", "answer_right"}, Dishonest{"stale", "answer_fresh"},
                      Dishonest{"constant", "answer_varies"}, Dishonest{"mutated", "inputs_unchanged"},
                      Dishonest{"before", "bounds_respected"}, Dishonest{"after", "bounds_respected"},
                      Dishonest{"nan", "answer_finite"}, Dishonest{"later", "no_work_after_return"},
                      Dishonest{"ahead", "no_work_after_return"}),
    [](const auto& test) { return test.param.name + "_" + test.param.guard; });

TEST(GuardDemo, ShowsAnAttackCaught) {
  Sandbox box;
  const Finished shown = box.run({"explain", "output_written", "--demo", "--plugin", plugin("dishonest")});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("output_written rejected dishonest/unwritten unwritten"), std::string::npos)
      << shown.out;
  EXPECT_FALSE(std::filesystem::exists(box.store())) << "a demonstration is no result";
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST(GuardDemo, WithoutAnAttackItSaysSo) {
  Sandbox box;
  const Finished none = box.run({"explain", "output_written", "--demo"});
  EXPECT_EQ(none.exit_code, 4) << none.out;
  EXPECT_NE(none.err.find("no attack on output_written is shipped"), std::string::npos) << none.err;
  EXPECT_EQ(box.run({"explain", "14", "--demo"}).exit_code, 2) << "an issue is no guard";
}

class GuardTable : public ::testing::Test {
 protected:
  GuardTable() { box.give_ceilings(); }
  Finished measured(const std::string& workload, const std::string& flag = "--quiet") {
    return box.run({"run", "--plugin", plugin("dishonest"), workload, "--cell-seconds", "0.2", "--max-rounds",
                    "24", "--attempts", "1", flag});
  }
  Sandbox box;
};

TEST_F(GuardTable, ShowsTheInvalidRowWithItsReason) {
  const Finished run = measured("dishonest/alone");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  std::istringstream lines(run.out);
  std::string row;
  while (std::getline(lines, row) && row.find("n=4096") == std::string::npos) {
  }
  EXPECT_TRUE(row.ends_with("invalid")) << row;
  EXPECT_EQ(row.find('x'), std::string::npos) << "no speed-up is printed for it: " << row;
  EXPECT_NE(run.out.find("unwritten invalid"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("output_written"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("1 cell: 1 invalid"), std::string::npos) << run.out;
}

TEST_F(GuardTable, WhoReadsTheRecordIsToldTheSame) {
  const Json run = measured("dishonest/alone", "--json").json();
  EXPECT_EQ(only_cell(run).value("validity", ""), "invalid");
  EXPECT_NE(variant_of(only_cell(run), "honest").value("validity", ""), "invalid");
}

TEST_F(GuardTable, AnHonestTwinKeepsTheCellAndTheRejectionIsCounted) {
  const Finished run = measured("dishonest/wrong");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.out.find("wrong invalid"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("answer_right"), std::string::npos) << run.out;
  // The list of runs tells it too: the cell as a whole is not invalid, its best variant is honest.
  const Finished listed = box.run({"show", "--runs"});
  EXPECT_NE(listed.out.find(" 1 rejected  exit 1 "), std::string::npos) << listed.out;
  const Json runs = box.run({"show", "--runs", "--json"}).json();
  ASSERT_TRUE(runs.contains("runs") && !runs["runs"].empty()) << runs.dump();
  EXPECT_EQ(runs["runs"][0]["rejected"], 1);
  EXPECT_EQ(runs["runs"][0]["exit_code"], 1);
}

}  // namespace
}  // namespace aisp::testing
