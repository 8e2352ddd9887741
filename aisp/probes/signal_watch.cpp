// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/signal_watch.h"

#include <sys/time.h>

#include <algorithm>

namespace aisp::probes {
namespace {

constexpr std::array kCausedByCode{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

bool caused_by_code(int signal) { return std::ranges::find(kCausedByCode, signal) != kCausedByCode.end(); }

/// Mask and flags beyond these change when a handler runs, not what it does.
bool same_handler(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_sigaction == b.sa_sigaction && (a.sa_flags & SA_SIGINFO) == (b.sa_flags & SA_SIGINFO);
}

constexpr std::array kTimers{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

bool runs(decltype(ITIMER_REAL) timer) {
  itimerval now{};
  return getitimer(timer, &now) == 0 && (now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0);
}

}  // namespace

SignalWatch::SignalWatch() {
  for (int s = 1; s < kSignals; ++s) sigaction(s, nullptr, &expected_[static_cast<std::size_t>(s)]);
  for (std::size_t t = 0; t < kTimers.size(); ++t) timer_runs_[t] = runs(kTimers[t]);  // a profiler's
}

SignalWatch& SignalWatch::instance() {
  static SignalWatch watch;
  return watch;
}

bool SignalWatch::put_back() {
  bool changed = false;
  for (std::size_t t = 0; t < kTimers.size(); ++t) {
    if (timer_runs_[t] || !runs(kTimers[t])) continue;
    changed = true;
    const itimerval none{};
    setitimer(kTimers[t], &none, nullptr);
  }
  for (int s = 1; s < kSignals; ++s) {
    struct sigaction& expected = expected_[static_cast<std::size_t>(s)];
    struct sigaction now{};
    if (sigaction(s, nullptr, &now) != 0 || same_handler(now, expected)) continue;
    changed = true;
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(s, &ignore, nullptr);  // drops one that is pending
    if (expected.sa_handler == SIG_DFL && !caused_by_code(s)) {
      expected = ignore;
    } else {
      sigaction(s, &expected, nullptr);
    }
  }
  return changed;
}

sigset_t deferrable_signals() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int signal : kCausedByCode) sigdelset(&signals, signal);
  return signals;
}

}  // namespace aisp::probes
