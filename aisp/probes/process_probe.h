// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the process did inside the timed windows of one variant: page faults, context switches, migrations,
/// CPU time, the floating-point mode. Called just outside the clock readings, so that it costs no
/// timed time.
///
///   ProcessProbe probe;
///   {
///     const ProcessProbe::Turn turn(probe);  // and what of the variant runs untimed before and after
///     probe.before_window();
///     const double start = clock.now_ns();  call();  const double end = clock.now_ns();
///     probe.after_window();
///   }
///   probe.note_quiet(wait_until_quiet(...));
///   evidence.process = probe.evidence();
///
/// Records; judges nothing. One probe for each variant; to be used by the measuring thread only.
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/device/cpu/quiet.h"

namespace aisp::probes {

class ProcessProbe {
 public:
  /// Runs one empty window first, so that its own first-use page faults are not charged to the variant.
  ProcessProbe();

  /// From before the first to after the last line of a variant's code for one window, whichever way it ends.
  class Turn {
   public:
    explicit Turn(ProcessProbe& probe) : probe_(probe) { probe_.begin_turn(); }
    ~Turn() { probe_.end_turn(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    ProcessProbe& probe_;
  };

  void before_window();
  /// A changed rounding or denormal mode is recorded and set back, so that it cannot reach the next variant.
  void after_window();
  /// Work after return: keeps the most CPU time other threads used while the harness waited.
  void note_quiet(const device::Quiet& quiet);

  /// What calls outside the windows changed and `untimed` set back counts as well: whether the clock runs
  /// makes no difference to who may do it.
  void note_changes(const ProcessProbe& untimed);

  const ProcessEvidence& evidence() const { return evidence_; }
  std::uint64_t windows() const { return windows_; }
  /// Cost of one before/after pair on this machine, measured on the first call.
  static double cost_ns();

 private:
  void begin_turn();
  /// A changed set of cores, a handler and a timer are recorded and set back, like the rounding mode.
  void end_turn();

  ProcessEvidence evidence_;
  std::uint64_t windows_ = 0;
  rusage usage_{};
  double own_cpu_ns_ = 0;
  double others_cpu_ns_ = 0;
  double others_in_windows_ns_ = 0;
  std::vector<double> after_return_ns_;  ///< CPU time of other threads after each window, ascending
  double wall_ns_ = 0;
  sigset_t signals_{};  ///< blocked at the begin of the turn
  bool in_turn_ = false;
  int core_ = -1;
  cpu_set_t cores_{};  ///< allowed at the begin of the turn
  std::uint32_t float_mode_ = 0;
};

/// Threads of this process; 0 where /proc is not mounted.
inline int thread_count() { return device::thread_count(); }

/// Control bits (rounding, denormals, exception masks) of the floating-point unit, without its sticky flags.
std::uint32_t float_mode();
void set_float_mode(std::uint32_t mode);

}  // namespace aisp::probes
