// SPDX-License-Identifier: Apache-2.0
// Right answers that another variant has computed are no achievement: the row is invalid, and the guard says
// why.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"
#include "tests/sanitized.h"

namespace aisp::testing {
namespace {

const std::vector<std::string> kRun = {"--json", "--cell-seconds", "1", "--max-rounds", "48"};

Finished run_borrowed(Sandbox& box, std::vector<std::string> more = {}) {
  box.give_ceilings();
  std::vector<std::string> arguments = {"run", "--plugin", plugin("borrowed"), "borrowed/answers"};
  arguments.insert(arguments.end(), kRun.begin(), kRun.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return box.run(arguments);
}

TEST(BorrowedAnswers, AreRejectedByName) {
  SKIP_WHEN_SANITIZED("what is slow is slow by its measure");
  Sandbox box;
  const Finished run = run_borrowed(box);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  const Json cell = only_cell(run.json());
  EXPECT_EQ(variant_of(cell, "borrower").value("validity", ""), "invalid");
  EXPECT_TRUE(rejected_by(variant_of(cell, "borrower"), "same_first_or_later"));
  EXPECT_FALSE(rejected_by(variant_of(cell, "lender"), "same_first_or_later"));
}

TEST(BorrowedAnswers, PassWhereTheGuardIsWaived) {
  Sandbox box;
  const Finished run = run_borrowed(box, {"--waive", "same_first_or_later"});
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 9) << run.err;  // a busy machine may leave it open
  const Json borrower = variant_of(only_cell(run.json()), "borrower");
  EXPECT_EQ(borrower.value("validity", ""), "valid") << "no other guard sees it";
}

}  // namespace
}  // namespace aisp::testing
