// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_script.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace aisp::cli {
namespace {

using harness::PlannedCell;

std::vector<PlannedCell> cells_of(const std::vector<std::pair<std::string, int>>& workloads) {
  std::vector<PlannedCell> cells;
  for (const auto& [id, count] : workloads) {
    PlannedCell cell;
    cell.workload.id = id;
    cells.insert(cells.end(), static_cast<std::size_t>(count), cell);
  }
  return cells;
}

TEST(Slices, HoldEveryWorkloadOnceAndAboutAsManyCells) {
  const auto slices = slices_of(cells_of({{"a", 6}, {"b", 1}, {"c", 2}, {"d", 3}, {"e", 1}, {"f", 5}}), 3);
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0], (std::vector<std::string>{"a"}));
  EXPECT_EQ(slices[1], (std::vector<std::string>{"b", "f"}));
  EXPECT_EQ(slices[2], (std::vector<std::string>{"c", "d", "e"}));
}

TEST(Slices, NoneIsEmpty) {
  EXPECT_EQ(slices_of(cells_of({{"a", 9}, {"b", 1}}), 100).size(), 2u);
  EXPECT_EQ(slices_of(cells_of({{"a", 9}}), 1).size(), 1u);
  EXPECT_TRUE(slices_of({}, 4).empty());
}

TEST(ShellQuoted, IsOneWord) {
  EXPECT_EQ(shell_quoted("ch07/transpose"), "ch07/transpose");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("$(rm)"), "'$(rm)'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("~/x"), "'~/x'");
}

Launch example(Launcher launcher) {
  return {.launcher = launcher,
          .id = "20261116-101112-abcd",
          .version = "0.1.0",
          .program = "/opt/aisp",
          .folder = "/scratch/a b",
          .store = "/scratch/results.db",
          .slices = {{"ch07/transpose"}, {"ch09/softmax"}},
          .flags = {"--param=n=64"},
          .options = {"--partition=gpu"}};
}

TEST(TaskScript, OptionsOfTheUserComeLastSoThatTheyWin) {
  const std::string script = task_script(example(Launcher::slurm));
  const auto ours = script.find("#SBATCH --exclusive\n"), theirs = script.find("#SBATCH --partition=gpu\n");
  ASSERT_NE(ours, std::string::npos);
  ASSERT_NE(theirs, std::string::npos);
  EXPECT_LT(ours, theirs);
  EXPECT_LT(theirs, script.find("task=")) << "sbatch stops reading at the first command";
  EXPECT_NE(script.find("folder='/scratch/a b'"), std::string::npos);
}

TEST(TaskScript, AnOptionIsOneWordOrANameAndItsValue) {
  Launch launch = example(Launcher::mpi);
  launch.options = {"--hostfile my hosts", "--mca=a b", "-x A=1", "--oversubscribe"};
  EXPECT_NE(task_script(launch).find(" --hostfile 'my hosts' '--mca=a b' -x A=1 --oversubscribe bash "),
            std::string::npos)
      << task_script(launch);
}

TEST(TaskScript, AServersUrlIsInNoFile) {
  Launch launch = example(Launcher::mpi);
  launch.store.clear();
  const std::string script = task_script(launch);
  EXPECT_NE(script.find("-x AISP_STORE"), std::string::npos) << script;
  EXPECT_EQ(script.find("export AISP_STORE"), std::string::npos) << script;
  EXPECT_EQ(script.find("merge.sh"), std::string::npos) << script;
}

TEST(TaskScript, ARankThatRejectedSomethingEndsNoOther) {
  const std::string script = task_script(example(Launcher::mpi));
  EXPECT_TRUE(script.ends_with("exit 0\n")) << script;
  EXPECT_TRUE(task_script(example(Launcher::slurm)).ends_with("exit $code\n"));
}

}  // namespace
}  // namespace aisp::cli
