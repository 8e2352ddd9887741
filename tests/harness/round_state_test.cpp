// SPDX-License-Identifier: Apache-2.0
// The declared rules that discard a round: about the machine's state, never about a value.
#include "aisp/harness/round_state.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/probes/cgroup.h"
#include "tests/probes/fake_root.h"

namespace aisp::harness {
namespace {

TEST(RoundState, AnOrdinaryRoundIsKept) {
  // Somebody else's swapping would discard a round by right; ten in a row would be a fault.
  int kept = 0;
  for (int i = 0; i < 10; ++i) {
    RoundState state;
    state.begin();
    kept += state.end().empty() ? 1 : 0;
  }
  EXPECT_GT(kept, 0);
}

// Each rule alone, on states that differ in nothing else.
TEST(RoundState, EveryDeclaredRuleDiscards) {
  const MachineState before{.continued = 1, .suspended_ns = 5e9, .throttled = 3, .swapped = 7};
  EXPECT_EQ(discard_reason(before, before), "");
  MachineState after = before;
  after.continued = 2;
  EXPECT_EQ(discard_reason(before, after), "the process was stopped and continued");
  after = before;
  after.suspended_ns += 2e9;
  EXPECT_EQ(discard_reason(before, after), "the machine was suspended");
  after = before;
  after.suspended_ns += 1e3;  // two clocks read one after the other
  EXPECT_EQ(discard_reason(before, after), "");
  after = before;
  after.throttled = 4;
  EXPECT_EQ(discard_reason(before, after), "the CPU quota throttled the process");
  after = before;
  after.swapped = 8;
  EXPECT_EQ(discard_reason(before, after), "pages were swapped");
  after.throttled = 4;
  EXPECT_EQ(discard_reason(before, after), "the CPU quota throttled the process, pages were swapped");
  after = before;
  CPU_SET(3, &after.cores);
  EXPECT_EQ(discard_reason(before, after), "the allowed cores changed");
}

TEST(RoundState, CountersThatTheKernelDoesNotOfferDiscardNothing) {
  EXPECT_EQ(discard_reason(MachineState{}, MachineState{}), "");
  EXPECT_TRUE(MachineState::now().swapped) << "/proc/vmstat";
}

// The top group of a machine is never throttled; the group of a container is.
TEST(RoundState, ThrottlingIsReadFromTheGroupOfTheProcess) {
  const probes::FakeRoot root;
  root.unified();
  root.write("/sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
  root.write("/sys/fs/cgroup/user/cpu.stat", "nr_bursts 1\nnr_throttled 2\n");
  root.write("/sys/fs/cgroup/user/job/cpu.stat", "nr_periods 8\nnr_throttled 5\n");
  const KernelCounter counter(probes::cgroup_cpu_stat_files(root.folder()), {"nr_throttled"});
  EXPECT_EQ(counter.read(), 7u);
  root.write("/sys/fs/cgroup/user/job/cpu.stat", "nr_periods 9\nnr_throttled 6\n");
  EXPECT_EQ(counter.read(), 8u);
  EXPECT_EQ(
      KernelCounter({root.folder() + "/sys/fs/cgroup/user/job/cpu.stat"}, {"nr_periods", "nr_throttled"})
          .read(),
      15u);
  EXPECT_EQ(KernelCounter({root.folder() + "/nowhere"}, {"nr_throttled"}).read(), std::nullopt);
  EXPECT_EQ(MachineState::now().throttled.has_value(),
            KernelCounter(probes::cgroup_cpu_stat_files(), {"nr_throttled"}).read().has_value());
}

TEST(RoundState, AStoppedAndContinuedProcessDiscardsTheRound) {
  const pid_t child = fork();
  if (child == 0) {
    watch_for_stops();
    RoundState state;
    state.begin();
    raise(SIGSTOP);
    const std::string reason = state.end();
    RoundState next;
    next.begin();
    _exit(reason == "the process was stopped and continued" && next.end().find("stopped") == std::string::npos
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  kill(child, SIGCONT);
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A variant that does not like its time could otherwise have the round thrown away.
TEST(RoundState, AProcessCannotDiscardItsOwnRound) {
  const pid_t child = fork();
  if (child == 0) {
    watch_for_stops();
    RoundState state;
    state.begin();
    raise(SIGCONT);
    kill(getpid(), SIGCONT);
    sigqueue(getpid(), SIGCONT, {});
    _exit(state.end().find("stopped") == std::string::npos ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(RoundState, AChangedSetOfCoresDiscardsTheRound) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "needs two cores";
  RoundState state;
  state.begin();
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::string reason = state.end();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(reason, "the allowed cores changed");
}

}  // namespace
}  // namespace aisp::harness
