// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/pinned_team.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "aisp/device/cpu/affinity.h"
#include "aisp/device/cpu/quiet.h"

namespace aisp::device {
namespace {

/// Every thread adds up its slice without a lock: wrong hand-over shows as a wrong sum, and as a race under
/// TSan.
long sum_with(PinnedTeam& team, const std::vector<int>& numbers) {
  std::vector<long> partial(static_cast<std::size_t>(team.size()), 0);
  team.run([&](int thread, int threads) {
    for (std::size_t i = static_cast<std::size_t>(thread); i < numbers.size();
         i += static_cast<std::size_t>(threads))
      partial[static_cast<std::size_t>(thread)] += numbers[i];
  });
  return std::accumulate(partial.begin(), partial.end(), 0l);
}

TEST(PinnedTeam, every_thread_runs_once_armed_and_parked) {
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const int threads : {1, 2, 3, 5}) {
    PinnedTeam team(threads);
    EXPECT_EQ(team.size(), threads);
    for (int round = 0; round < 30; ++round) {
      if (round % 3 == 0) team.arm();
      if (round % 3 == 2) team.park();
      ASSERT_EQ(sum_with(team, numbers), 499500) << threads << " threads, round " << round;
    }
  }
}

TEST(PinnedTeam, many_armed_runs_in_a_row) {
  PinnedTeam team(2);
  team.arm();
  long runs = 0;
  std::atomic<long> helper_runs{0};
  for (int i = 0; i < 5000; ++i)
    team.run([&](int thread, int) { thread == 0 ? void(++runs) : void(helper_runs.fetch_add(1)); });
  EXPECT_EQ(runs, 5000);
  EXPECT_EQ(helper_runs.load(), 5000);
}

TEST(PinnedTeam, threads_are_bound_to_different_processors) {
  if (allowed_cpus().size() < 2) GTEST_SKIP() << "one processor";
  const std::vector<int> before = current_thread_cpus();
  {
    PinnedTeam team(2);
    std::vector<int> cpu(2, -1);
    team.run([&](int thread, int) { cpu[static_cast<std::size_t>(thread)] = sched_getcpu(); });
    EXPECT_EQ(cpu, team.cpus());
    EXPECT_NE(cpu[0], cpu[1]);
  }
  EXPECT_EQ(current_thread_cpus(), before) << "the caller's binding is given back";
}

TEST(PinnedTeam, the_caller_stays_free_when_asked) {
  const std::vector<int> before = current_thread_cpus();
  PinnedTeam team(1, {.pin_caller = false});
  EXPECT_EQ(current_thread_cpus(), before);
}

TEST(PinnedTeam, exceptions_reach_the_caller_and_the_team_lives_on) {
  PinnedTeam team(3);
  for (const bool armed : {false, true}) {
    if (armed) team.arm();
    for (int thrower = 0; thrower < 3; ++thrower) {
      std::atomic<int> finished{0};
      const auto body = [&](int thread, int) {
        if (thread == thrower) throw std::runtime_error("thread " + std::to_string(thread));
        finished.fetch_add(1);
      };
      try {
        team.run(body);
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "thread " + std::to_string(thrower));
      }
      EXPECT_EQ(finished.load(), 2) << "run() waits for the others before it throws";
    }
    team.run([](int, int) {});
  }
}

TEST(PinnedTeam, parked_helpers_use_no_cpu_time) {
  PinnedTeam team(2);
  team.arm();
  team.run([](int, int) {});
  team.park();
  const Quiet quiet = wait_until_quiet(std::chrono::seconds(2));
  EXPECT_TRUE(quiet.quiet);
}

TEST(PinnedTeam, running_inside_a_run_is_refused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        PinnedTeam team(2);
        team.run([&](int thread, int) {
          if (thread == 0) team.run([](int, int) {});
        });
      },
      "inside its own run");
}

TEST(Affinity, the_order_is_a_permutation_of_the_allowed_processors) {
  const std::vector<int> allowed = allowed_cpus(), ordered = cpus_by_core();
  EXPECT_EQ(std::set<int>(ordered.begin(), ordered.end()), std::set<int>(allowed.begin(), allowed.end()));
  EXPECT_EQ(ordered.size(), allowed.size());
  EXPECT_GE(allowed_cores(), 1);
  EXPECT_LE(static_cast<std::size_t>(allowed_cores()), allowed.size());
}

}  // namespace
}  // namespace aisp::device
