// SPDX-License-Identifier: Apache-2.0
// Work where the clock does not look buys nothing: the row is invalid, and the guard that saw it is named.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"
#include "tests/sanitized.h"

namespace aisp::testing {
namespace {

struct Deferred {
  std::string name;
  std::string guard;  ///< that must be among those which rejected it
};
void PrintTo(const Deferred& deferred, std::ostream* out) { *out << deferred.name; }

class DeferredWork : public ::testing::TestWithParam<Deferred> {};

TEST_P(DeferredWork, IsRejectedByName) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("deferred"), "deferred/" + GetParam().name,
                                "--json", "--cell-seconds", "0.3", "--max-rounds", "24", "--attempts", "2"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const Json cell = only_cell(run.json());
  const Json liar = variant_of(cell, "liar");
  EXPECT_EQ(liar.value("validity", ""), "invalid");
  EXPECT_TRUE(rejected_by(liar, GetParam().guard)) << liar["findings"].dump(1);
  EXPECT_FALSE(rejected_by(variant_of(cell, "honest"), "answer_right"));
  EXPECT_FALSE(rejected_by(variant_of(cell, "honest"), "no_work_after_return"));
  EXPECT_TRUE(box.alone());
}

INSTANTIATE_TEST_SUITE_P(
    Every, DeferredWork,
    ::testing::Values(Deferred{"finish", "output_written"}, Deferred{"final_state", "no_work_after_return"},
                      Deferred{"load", "answer_right"}, Deferred{"foresee", "answer_right"},
                      Deferred{"memory", "output_written"}, Deferred{"careless", "every_answer_checked"},
                      Deferred{"undeclared", "threads_as_declared"}, Deferred{"fifth", "threads_as_declared"},
                      Deferred{"rounds", "stays_on_core"}, Deferred{"before", "stays_on_core"},
                      Deferred{"timer", "no_work_after_return"}),
    [](const auto& test) { return test.param.name; });

// The handler that would have computed the answer is gone when the harness reads it, so that the fault ends
// the worker in the liar's turn.
TEST(DeferredByFault, EndsTheLiarAndNobodyElse) {
  SKIP_WHEN_SANITIZED("it answers the fault itself");
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("deferred"), "deferred/fault", "--json",
                                "--cell-seconds", "0.3", "--max-rounds", "24", "--attempts", "1"});
  const Json cell = only_cell(run.json());
  const Json liar = variant_of(cell, "liar");
  EXPECT_NE(liar.value("validity", ""), "valid");
  EXPECT_NE(reason_of(liar).find("SIGSEGV"), std::string::npos) << liar["findings"].dump(1);
  EXPECT_TRUE(was_measured(variant_of(cell, "honest")));
  EXPECT_TRUE(was_measured(variant_of(cell, "twin")));
  EXPECT_TRUE(box.alone());
}

}  // namespace
}  // namespace aisp::testing
