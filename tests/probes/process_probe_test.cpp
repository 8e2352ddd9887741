// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/process_probe.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <csignal>
#include <limits>
#include <thread>

#include "aisp/device/cpu/affinity.h"
#include "tests/sanitized.h"

namespace aisp::probes {
namespace {

/// Faults that are not the test's own: a sanitizer's shadow memory is faulted in as the program goes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kForeignFaults = 2000;
#else
constexpr std::uint64_t kForeignFaults = 2;
#endif

TEST(ProcessProbe, an_empty_window_has_nothing_to_report) {
  SKIP_WHEN_SANITIZED("its own pages fault");
  ProcessProbe probe;
  for (int i = 0; i < 200; ++i) {
    probe.before_window();
    probe.after_window();
  }
  const ProcessEvidence& e = probe.evidence();
  EXPECT_EQ(probe.windows(), 200u);
  EXPECT_LE(e.minor_faults.value(), kForeignFaults) << "the probe itself must not fault";
  EXPECT_EQ(e.major_faults.value(), 0u);
  EXPECT_FALSE(e.rounding_mode_changed.value());
  EXPECT_GT(e.wall_in_windows_ns.value(), 0);
  EXPECT_FALSE(e.cpu_after_return_ns.has_value()) << "never asked, so not known";
}

TEST(ProcessProbe, sees_page_faults_inside_the_window_only) {
  SKIP_WHEN_SANITIZED("its shadow memory faults too");
  constexpr std::size_t pages = 100, page = 4096;
  auto* memory = static_cast<volatile char*>(
      mmap(nullptr, 2 * pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  madvise(const_cast<char*>(memory), 2 * pages * page, MADV_NOHUGEPAGE);
  ProcessProbe probe;
  for (std::size_t i = 0; i < pages; ++i) memory[i * page] = 1;  // outside
  probe.before_window();
  for (std::size_t i = pages; i < 2 * pages; ++i) memory[i * page] = 1;  // inside
  probe.after_window();
  EXPECT_GE(probe.evidence().minor_faults.value(), pages);
  EXPECT_LT(probe.evidence().minor_faults.value(), pages + 20 + kForeignFaults);
  munmap(const_cast<char*>(memory), 2 * pages * page);
}

TEST(ProcessProbe, sees_a_changed_rounding_mode_and_sets_it_back) {
  ProcessProbe probe;
  probe.before_window();
  std::fesetround(FE_UPWARD);
  probe.after_window();
  EXPECT_TRUE(probe.evidence().rounding_mode_changed.value());
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  probe.before_window();
  probe.after_window();
  EXPECT_TRUE(probe.evidence().rounding_mode_changed.value()) << "once is enough";
}

TEST(ProcessProbe, sticky_flags_of_honest_arithmetic_are_no_change_of_mode) {
  ProcessProbe probe;
  probe.before_window();
  volatile double zero = 0;
  volatile double inexact = 1.0 / 3.0 + std::sqrt(2.0 + zero);
  (void)inexact;
  std::feraiseexcept(FE_INEXACT | FE_UNDERFLOW);
  probe.after_window();
  EXPECT_FALSE(probe.evidence().rounding_mode_changed.value());
}

// The process clock alone knows of a running thread what was booked at its last tick, every 4 ms.
TEST(ProcessProbe, books_what_another_thread_does_in_a_short_window_inside_of_it) {
  if (device::allowed_cpus().size() < 2) GTEST_SKIP() << "one processor";
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
    }
  });
  clockid_t clock{};
  ASSERT_EQ(pthread_getcpuclockid(busy.native_handle(), &clock), 0);
  const auto used_ns = [&] {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
  };
  ProcessProbe probe;
  double truth = 0;  // of the other thread alone, from inside the windows
  for (int window = 0; window < 200; ++window) {
    probe.before_window();
    const double start = used_ns();
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
    while (std::chrono::steady_clock::now() < until) {
    }
    truth += used_ns() - start;
    probe.after_window();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  stop = true;
  busy.join();
  // The caller spun all the while, or waited for a processor the other thread had.
  EXPECT_GT(probe.evidence().cpu_in_windows_ns.value(), truth + 0.5 * (200 * 100e3 - truth));
}

// One declared thread has an allowance of 2 %, which the errors of reading must not use up.
TEST(ProcessProbe, books_next_to_nothing_for_a_thread_that_sleeps) {
  std::atomic<bool> stop{false};
  std::thread asleep([&] { stop.wait(false); });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // until it does
  // The least of a few tries: a machine that interrupts the reading adds to it, and takes nothing off.
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 5; ++attempt) {
    ProcessProbe probe;
    for (int window = 0; window < 400; ++window) {
      probe.before_window();
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
      while (std::chrono::steady_clock::now() < until) {
      }
      probe.after_window();
    }
    least = std::min(least, probe.evidence().others_cpu_in_windows_ns.value());
  }
  stop = true;
  stop.notify_all();
  asleep.join();
  EXPECT_LT(least, 0.01 * 400 * 20e3);
}

TEST(ProcessProbe, work_after_most_returns_shows_and_one_hiccup_does_not) {
  const auto seen = [](double usual, double once) {
    ProcessProbe probe;
    for (int i = 0; i < 11; ++i)
      probe.note_quiet({.quiet = true, .waited_ns = 1, .other_cpu_ns = usual, .threads = 2});
    probe.note_quiet({.quiet = true, .waited_ns = 1, .other_cpu_ns = once, .threads = 2});
    return probe.evidence().cpu_after_return_ns.value();
  };
  EXPECT_EQ(seen(1e3, 5e6), 1e3);
  EXPECT_EQ(seen(5e6, 1e3), 5e6);
}

TEST(ProcessProbe, counts_migrations) {
  const auto cpus = device::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  const auto before = device::current_thread_cpus();
  ProcessProbe probe;
  device::pin_current_thread(cpus[0]);
  probe.before_window();
  device::pin_current_thread(cpus[1]);
  probe.after_window();
  probe.before_window();
  probe.after_window();
  EXPECT_EQ(probe.evidence().migrations.value(), 1u);
  device::allow_current_thread(before);
}

TEST(ProcessProbe, sees_changed_cores_around_a_turn_and_sets_them_back) {
  const auto cpus = device::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "one processor";
  const auto before = device::current_thread_cpus();
  ProcessProbe probe;
  std::optional<ProcessProbe::Turn>(std::in_place, probe).reset();
  EXPECT_EQ(probe.evidence().cores_changed, false);
  {
    const ProcessProbe::Turn turn(probe);
    device::pin_current_thread(before.size() == 1 && before[0] == cpus[0] ? cpus[1] : cpus[0]);
  }
  EXPECT_EQ(probe.evidence().cores_changed, true);
  EXPECT_EQ(device::current_thread_cpus(), before);
  std::optional<ProcessProbe::Turn>(std::in_place, probe).reset();
  EXPECT_EQ(probe.evidence().cores_changed, true) << "once is enough";
}

struct sigaction action_of(int signal) {
  struct sigaction action{};
  sigaction(signal, nullptr, &action);
  return action;
}
void nothing(int) {}

TEST(ProcessProbe, sees_handlers_and_timers_that_a_turn_left_and_removes_them) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR2, SIGRTMIN + 3, 0}) {
    ProcessProbe probe;
    std::optional<ProcessProbe::Turn>(std::in_place, probe).reset();
    ASSERT_EQ(probe.evidence().handlers_changed, false);
    {
      const ProcessProbe::Turn turn(probe);
      if (signal != 0) std::signal(signal, nothing);
      const itimerval hour{.it_interval = {}, .it_value = {3600, 0}};
      if (signal == 0) setitimer(ITIMER_REAL, &hour, nullptr);
    }
    EXPECT_EQ(probe.evidence().handlers_changed, true) << signal;
    EXPECT_NE(action_of(signal).sa_handler, nothing) << signal;
    itimerval timer{};
    getitimer(ITIMER_REAL, &timer);
    EXPECT_EQ(timer.it_value.tv_sec, 0) << signal;
  }
}

int handled = 0;

TEST(ProcessProbe, a_signal_after_the_window_runs_no_handler) {
  ProcessProbe probe;
  handled = 0;
  {
    const ProcessProbe::Turn turn(probe);
    probe.before_window();
    struct sigaction once{};
    once.sa_handler = [](int) { ++handled; };
    once.sa_flags = SA_RESETHAND;  // it would be gone when looked for
    sigaction(SIGUSR1, &once, nullptr);
    probe.after_window();
    raise(SIGUSR1);
  }
  EXPECT_EQ(handled, 0);
  EXPECT_EQ(probe.evidence().handlers_changed, true);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGUSR1), 0) << "blocked during the turn only";
}

TEST(ProcessProbe, accounts_cpu_time_of_the_window) {
  ProcessProbe probe;
  probe.before_window();
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  const double end = double(t.tv_sec) * 1e9 + double(t.tv_nsec) + 5e6;
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  while (double(t.tv_sec) * 1e9 + double(t.tv_nsec) < end);
  probe.after_window();
  EXPECT_GE(probe.evidence().cpu_in_windows_ns.value(), 5e6);
  EXPECT_GT(ProcessProbe::cost_ns(), 0);
}

}  // namespace
}  // namespace aisp::probes
