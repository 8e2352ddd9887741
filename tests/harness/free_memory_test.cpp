// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/free_memory.h"

#include <gtest/gtest.h>

#include "aisp/harness/sampler.h"
#include "aisp/harness/verify.h"
#include "example.h"
#include "tests/probes/fake_root.h"

namespace aisp::harness {
namespace {

TEST(FreeMemory, IsPositiveAndBelowAnyMachine) {
  EXPECT_GT(free_memory_bytes(), 1e6);
  EXPECT_LT(free_memory_bytes(), 1e16);
}

TEST(FreeMemory, TheLimitOfTheGroupOfTheProcessCounts) {
  const probes::FakeRoot root;
  root.unified();
  EXPECT_DOUBLE_EQ(free_memory_bytes(root.folder()), 50e9);
  root.write("/sys/fs/cgroup/user/job/memory.max", "3000000000\n");
  root.write("/sys/fs/cgroup/user/job/memory.current", "1000000000\n");
  EXPECT_DOUBLE_EQ(free_memory_bytes(root.folder()), 2e9);
}

TEST(FreeMemory, NeededCountsTensorsReferenceAndWorkspace) {
  Problem problem = example_problem(Params{{"n", 1000}});
  EXPECT_DOUBLE_EQ(needed_bytes(problem), 4000 + 4000 + 16'000);
  problem.workspace_bytes = 500;
  EXPECT_DOUBLE_EQ(needed_bytes(problem), 24'500);
}

TEST(FreeMemory, WhatDoesNotFitIsRefusedBeforeAllocating) {
  Workload workload = example("test/huge", {{"honest", honest}});
  workload.axes = {
      {"n", {std::int64_t{1} << 40}}};  // 4 TiB each: allocating it would fail or end the process
  EXPECT_FALSE(fits_memory(needed_bytes(workload.problem(cell_of(workload).sizes()))));
  const auto nothing = [](const std::string&) {};
  const auto sampler = Sampler::open(workload, cell_of(workload), nothing);
  ASSERT_FALSE(sampler);
  EXPECT_EQ(sampler.error().code, ErrorCode::environment);
  EXPECT_NE(sampler.error().message.find("needs 24 TiB, and "), std::string::npos) << sampler.error().message;
  EXPECT_FALSE(verify(workload, cell_of(workload), nothing));
}

TEST(FreeMemory, WhatFitsIsNotRefused) {
  EXPECT_TRUE(fits_memory(needed_bytes(example_problem(Params{{"n", 1000}}))));
}

TEST(FreeMemory, TheUsersLimitIsNamedWhereItIsWhatDecides) {
  const Status refused = fits_memory(400e6, 300e6);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--memory-limit allows 286 MiB"), std::string::npos)
      << refused.error().message;
  EXPECT_TRUE(fits_memory(200e6, 300e6));
  const Workload workload = example("test/limited", {{"honest", honest}});
  CellSpec spec = cell_of(workload);
  spec.memory_limit = 1;
  const auto nothing = [](const std::string&) {};
  EXPECT_FALSE(Sampler::open(workload, spec, nothing));
  EXPECT_FALSE(verify(workload, spec, nothing));
}

TEST(FreeMemory, ALimitThatNoWorkerCanStartWithIsAMistake) {
  EXPECT_TRUE(check_memory_limit(0));
  EXPECT_TRUE(check_memory_limit(kLeastMemory));
  EXPECT_EQ(check_memory_limit(1).error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace aisp::harness
