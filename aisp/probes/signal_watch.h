// SPDX-License-Identifier: Apache-2.0
/// \file
/// What could still run on the measuring thread after a call has returned: handlers of signals, and the
/// timers that send them. Work done there is in no time and on no other thread.
///
///   SignalWatch::instance();                            // before workload code is loaded
///   ...                                                 // a call
///   if (SignalWatch::instance().put_back()) ...         // it left a handler or a timer behind
///
/// Compares with the state at the first use, whenever a change was made: in a constructor of the plugin, in
/// prepare() or in the call. For the measuring thread only. POSIX timers cannot be listed, but without a
/// handler they do nothing.
#pragma once

#include <array>
#include <csignal>

namespace aisp::probes {

class SignalWatch {
 public:
  static SignalWatch& instance();

  /// Whether a handler or an interval timer differs from the start. Undoes it, so that it cannot reach the
  /// next variant; a signal that a forgotten timer may still send is ignored from then on. About 70 system
  /// calls.
  bool put_back();

 private:
  SignalWatch();
  static constexpr int kSignals = 65;
  std::array<struct sigaction, kSignals> expected_{};
  std::array<bool, 3> timer_runs_{};  ///< at the start: real, virtual, profiling
};

/// Signals that a timer or a process can send, without those that the running code itself causes.
sigset_t deferrable_signals();

}  // namespace aisp::probes
