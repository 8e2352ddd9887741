// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether other threads of this process still work after a call returned. Thread pools of BLAS and OpenMP
/// spin on for a while; a variant that left its work to another thread cannot hide the CPU time that work
/// costs.
///
///   team.park();
///   const Quiet quiet = wait_until_quiet(std::chrono::milliseconds(200));
///   probe.note_quiet(quiet);                        // quiet.other_cpu_ns is the evidence
///
/// Sees threads of this process only; other processes are the load probe's business.
#pragma once

#include <chrono>

namespace aisp::device {

struct Quiet {
  bool quiet = true;  ///< false: still busy when the time was over
  double waited_ns = 0;
  double other_cpu_ns = 0;  ///< CPU time of all threads but the caller's while waiting
  int threads = 1;          ///< of the process, at the end
};

/// Returns as soon as no other thread runs or wants to run and none has used CPU time since the last look: at
/// once when the caller is the only thread, after some 20 us per thread when all others sleep.
Quiet wait_until_quiet(std::chrono::nanoseconds max);

/// CPU time used so far by all threads of this process, past and present, but the calling one. Exact to about
/// a microsecond: running threads are accounted up to now, not up to the last tick. Costs about 2 us per
/// thread.
double other_threads_cpu_ns();

/// Threads of this process, from one stat(2) call (about a microsecond); 0 where /proc is not mounted.
int thread_count();

}  // namespace aisp::device
