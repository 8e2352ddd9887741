// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/process_probe.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <atomic>
#include <cfenv>
#include <cmath>
#include <thread>

#include "aisp/device/cpu/affinity.h"

namespace aisp::probes {
namespace {

/// Faults that are not the test's own: a sanitizer's shadow memory is faulted in as the program goes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kForeignFaults = 2000;
#else
constexpr std::uint64_t kForeignFaults = 2;
#endif

TEST(ProcessProbe, an_empty_window_has_nothing_to_report) {
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
  EXPECT_EQ(e.threads_before, e.threads_after);
  EXPECT_GT(e.wall_in_windows_ns.value(), 0);
  EXPECT_FALSE(e.cpu_after_return_ns.has_value()) << "never asked, so not known";
}

TEST(ProcessProbe, sees_page_faults_inside_the_window_only) {
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

TEST(ProcessProbe, sees_a_thread_left_behind) {
  ProcessProbe probe;
  std::atomic<bool> stop{false};
  std::thread left_behind;
  probe.before_window();
  left_behind = std::thread([&] {
    while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  probe.after_window();
  stop = true;
  left_behind.join();
  EXPECT_EQ(probe.evidence().threads_after.value(), probe.evidence().threads_before.value() + 1);
}

TEST(ProcessProbe, keeps_the_most_cpu_time_after_return) {
  ProcessProbe probe;
  probe.note_quiet({.quiet = true, .waited_ns = 1, .other_cpu_ns = 5e6, .threads = 2});
  probe.note_quiet({.quiet = true, .waited_ns = 1, .other_cpu_ns = 1e3, .threads = 1});
  EXPECT_EQ(probe.evidence().cpu_after_return_ns.value(), 5e6);
  EXPECT_EQ(probe.evidence().threads_after.value(), 2);
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
