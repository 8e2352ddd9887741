// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/process_probe.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <array>

#include "aisp/probes/signal_watch.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace aisp::probes {
namespace {

double read_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class T, class U>
void add(std::optional<T>& total, U amount) {
  total = total.value_or(T{}) + static_cast<T>(amount);
}

}  // namespace

#if defined(__x86_64__)
/// MXCSR above its six sticky exception flags; the x87 control word, which long double uses, above it.
std::uint32_t float_mode() {
  std::uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  return (static_cast<std::uint32_t>(x87) << 16) | (_mm_getcsr() & 0xffc0u);
}
void set_float_mode(std::uint32_t mode) {
  const auto x87 = static_cast<std::uint16_t>(mode >> 16);
  asm volatile("fldcw %0" : : "m"(x87));
  _mm_setcsr((_mm_getcsr() & 0x3fu) | (mode & 0xffc0u));
}
#elif defined(__aarch64__)
std::uint32_t float_mode() {
  std::uint64_t fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  return static_cast<std::uint32_t>(fpcr);
}
void set_float_mode(std::uint32_t mode) {
  const std::uint64_t fpcr = mode;
  asm volatile("msr fpcr, %0" : : "r"(fpcr));
}
#else
std::uint32_t float_mode() { return 0; }
void set_float_mode(std::uint32_t) {}
#endif

ProcessProbe::ProcessProbe() {
  before_window();
  after_window();
  evidence_ = {};
  windows_ = 0;
  others_in_windows_ns_ = 0;
}

void ProcessProbe::before_window() {
  float_mode_ = float_mode();
  core_ = sched_getcpu();
  getrusage(RUSAGE_SELF, &usage_);
  // Of those that have ended too: one may live inside the window.
  others_cpu_ns_ = device::other_threads_cpu_ns();
  own_cpu_ns_ = read_ns(CLOCK_THREAD_CPUTIME_ID);
  wall_ns_ = read_ns(CLOCK_MONOTONIC_RAW);
}

void ProcessProbe::after_window() {
  // At once: a handler that a timer calls between the clock and the end of the turn would work untimed, and
  // could remove itself before it is looked for.
  if (in_turn_) {
    static const sigset_t deferrable = deferrable_signals();
    pthread_sigmask(SIG_BLOCK, &deferrable, nullptr);
  }
  const double wall = read_ns(CLOCK_MONOTONIC_RAW);
  const double own_cpu = read_ns(CLOCK_THREAD_CPUTIME_ID) - own_cpu_ns_;
  const double others_cpu = device::other_threads_cpu_ns() - others_cpu_ns_;
  const std::uint32_t mode = float_mode();
  const int core = sched_getcpu();
  rusage usage{};
  const bool usage_known = getrusage(RUSAGE_SELF, &usage) == 0;

  ++windows_;
  add(evidence_.wall_in_windows_ns, wall - wall_ns_);
  add(evidence_.cpu_in_windows_ns, own_cpu + others_cpu);
  // Signed until here: the two readings of a window err both ways, and their errors shall not add up.
  others_in_windows_ns_ += others_cpu;
  evidence_.others_cpu_in_windows_ns = std::max(0.0, others_in_windows_ns_);
  if (usage_known) {
    add(evidence_.minor_faults, usage.ru_minflt - usage_.ru_minflt);
    add(evidence_.major_faults, usage.ru_majflt - usage_.ru_majflt);
    add(evidence_.involuntary_switches, usage.ru_nivcsw - usage_.ru_nivcsw);
  }
  if (core >= 0 && core_ >= 0) add(evidence_.migrations, core != core_ ? 1 : 0);
#if defined(__x86_64__) || defined(__aarch64__)
  evidence_.rounding_mode_changed = evidence_.rounding_mode_changed.value_or(false) || mode != float_mode_;
  if (mode != float_mode_) set_float_mode(float_mode_);
#endif
}

void ProcessProbe::begin_turn() {
  SignalWatch::instance();  // at the latest now, before code that is measured runs
  pthread_sigmask(SIG_SETMASK, nullptr, &signals_);
  in_turn_ = true;
  CPU_ZERO(&cores_);
  sched_getaffinity(0, sizeof cores_, &cores_);
}

void ProcessProbe::end_turn() {
  in_turn_ = false;
  const bool left_handlers = SignalWatch::instance().put_back();
  evidence_.handlers_changed = evidence_.handlers_changed.value_or(false) || left_handlers;
  pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    const bool changed = CPU_EQUAL(&cores, &cores_) == 0;
    evidence_.cores_changed = evidence_.cores_changed.value_or(false) || changed;
    if (changed) sched_setaffinity(0, sizeof cores_, &cores_);
  }
}

void ProcessProbe::note_changes(const ProcessProbe& untimed) {
  const auto take = [](std::optional<bool>& mine, const std::optional<bool>& theirs) {
    if (theirs.value_or(false)) mine = true;
  };
  take(evidence_.rounding_mode_changed, untimed.evidence_.rounding_mode_changed);
  take(evidence_.cores_changed, untimed.evidence_.cores_changed);
  take(evidence_.handlers_changed, untimed.evidence_.handlers_changed);
}

void ProcessProbe::note_quiet(const device::Quiet& quiet) {
  // Not the largest: on a shared machine a thread that falls asleep is now and then charged for the time that
  // its processor was taken away. Who works after the return in fewer than a quarter of the windows moves no
  // median.
  after_return_ns_.insert(std::ranges::upper_bound(after_return_ns_, quiet.other_cpu_ns), quiet.other_cpu_ns);
  evidence_.cpu_after_return_ns = after_return_ns_[after_return_ns_.size() * 3 / 4];
}

double ProcessProbe::cost_ns() {
  static const double cost = [] {
    ProcessProbe probe;
    std::array<double, 31> costs{};
    for (double& c : costs) {
      const double start = read_ns(CLOCK_MONOTONIC_RAW);
      probe.before_window();
      probe.after_window();
      c = read_ns(CLOCK_MONOTONIC_RAW) - start;
    }
    std::nth_element(costs.begin(), costs.begin() + costs.size() / 2, costs.end());
    return costs[costs.size() / 2];
  }();
  return cost;
}

}  // namespace aisp::probes
