// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/quiet.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "tests/sanitized.h"

namespace aisp::device {
namespace {

using std::chrono::milliseconds;

double own_cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

void burn_ms(double ms) {
  const double end = own_cpu_ns() + ms * 1e6;
  while (own_cpu_ns() < end) {
  }
}

TEST(Quiet, a_lone_thread_is_quiet_at_once) {
  if (thread_count() != 1) GTEST_SKIP() << "the test runner has threads of its own";
  burn_ms(5);  // the caller's own work is no evidence against it
  const Quiet quiet = wait_until_quiet(milliseconds(100));
  EXPECT_TRUE(quiet.quiet);
  EXPECT_EQ(quiet.waited_ns, 0);
  EXPECT_EQ(quiet.other_cpu_ns, 0);
}

TEST(Quiet, a_sleeping_thread_is_quiet) {
  std::mutex mutex;
  std::condition_variable wake;
  bool stop = false;
  std::thread sleeper([&] {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return stop; });
  });
  const Quiet settled = wait_until_quiet(milliseconds(500));
  EXPECT_TRUE(settled.quiet);
  const Quiet quiet = wait_until_quiet(milliseconds(500));
  EXPECT_TRUE(quiet.quiet);
  EXPECT_LT(quiet.other_cpu_ns, 50e3);
  EXPECT_EQ(quiet.threads, thread_count());
  {
    const std::lock_guard lock(mutex);
    stop = true;
  }
  wake.notify_one();
  sleeper.join();
}

TEST(Quiet, work_after_return_is_waited_for_and_accounted) {
  std::atomic<bool> started{false};
  std::thread worker([&] {
    started = true;
    burn_ms(20);
  });
  while (!started) std::this_thread::yield();
  const Quiet quiet = wait_until_quiet(milliseconds(5000));
  EXPECT_TRUE(quiet.quiet);
  EXPECT_GT(quiet.other_cpu_ns, 10e6);
  EXPECT_LT(quiet.other_cpu_ns, 25e6);
  EXPECT_GT(quiet.waited_ns, quiet.other_cpu_ns * 0.5);
  worker.join();
}

TEST(Quiet, a_thread_that_never_stops_is_reported) {
  std::atomic<bool> stop{false};
  std::thread spinner([&] {
    while (!stop.load(std::memory_order_relaxed)) {
    }
  });
  const Quiet quiet = wait_until_quiet(milliseconds(30));
  stop = true;
  spinner.join();
  EXPECT_FALSE(quiet.quiet);
  EXPECT_GT(quiet.other_cpu_ns, 0);
}

/// Two processors that this process may use, or nothing.
std::optional<std::pair<int, int>> two_processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return std::nullopt;
  std::vector<int> found;
  for (int cpu = 0; cpu < CPU_SETSIZE && found.size() < 2; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) found.push_back(cpu);
  return std::pair(found[0], found[1]);
}

void stay_on(int cpu) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
}

TEST(Quiet, running_threads_are_accounted_up_to_now) {
  const auto processors = two_processors();
  if (!processors) GTEST_SKIP() << "nothing runs beside the caller on one processor";
  // Far below a tick, of which a batch sees one or two: the accounts of most intervals must grow without it.
  // A batch in which others had the spinner's processor says nothing: then another one.
  int grew = 0;
  std::thread([&, processors = *processors] {  // of its own, so that nothing stays pinned
    stay_on(processors.first);
    std::atomic<bool> stop{false}, started{false};
    std::thread spinner([&] {
      stay_on(processors.second);
      started = true;
      while (!stop.load(std::memory_order_relaxed)) {
      }
    });
    while (!started) std::this_thread::yield();
    for (int batch = 0; batch < 100 && grew <= 10; ++batch) {
      grew = 0;
      for (int i = 0; i < 20; ++i) {
        const double before = other_threads_cpu_ns();
        burn_ms(0.02);
        grew += other_threads_cpu_ns() - before > 10e3;  // two clocks, read in turn, differ by less
      }
    }
    stop = true;
    spinner.join();
  })
      .join();
  EXPECT_GT(grew, 10);
}

TEST(Quiet, exited_threads_stay_in_the_account) {
  const double before = other_threads_cpu_ns();
  std::thread([] { burn_ms(5); }).join();
  EXPECT_GT(other_threads_cpu_ns() - before, 4e6);
}

TEST(Quiet, threads_are_counted) {
  SKIP_WHEN_SANITIZED("it has a thread of its own");
  const int before = thread_count();
  ASSERT_GE(before, 1);
  std::atomic<bool> stop{false};
  std::thread first([&] {
    while (!stop) std::this_thread::sleep_for(milliseconds(1));
  });
  EXPECT_EQ(thread_count(), before + 1);
  stop = true;
  first.join();
}

}  // namespace
}  // namespace aisp::device
