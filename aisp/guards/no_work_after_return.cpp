// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>
#include <string>

namespace aisp::guards {
namespace {

// Work that goes on after the return is not in the time. Threads may stay (a pool), but only as many as
// declared, and parked.
Finding no_work_after_return_finding(const Evidence& evidence) {
  const ProcessEvidence& process = evidence.process;
  if (!process.threads_before || !process.threads_after || !process.cpu_after_return_ns) {
    return unknown("threads and CPU time after the return were not recorded",
                   "is /proc mounted in this container?");
  }
  if (*process.threads_before < 1 || *process.threads_after < 1) {
    return unknown("threads could not be counted", "is /proc mounted in this container?");
  }
  if (process.finish_share && !(*process.finish_share <= kLargestFinishShare)) {
    return reject("finish(), which is not timed, took " + percent(*process.finish_share) +
                      " of the time of the operations; " + percent(kLargestFinishShare) + " is allowed",
                  "finish() only writes down the final state; do the work in apply()");
  }
  if (process.handlers_changed.value_or(false)) {
    return reject("a call left a signal handler or an interval timer behind: code that runs after the return",
                  "remove handlers and stop timers before returning");
  }
  const int helpers = std::max(0, evidence.threads - 1);
  if (*process.threads_after > *process.threads_before + helpers) {
    return reject(std::to_string(*process.threads_after) + " threads after a call, " +
                      std::to_string(*process.threads_before) + " before the first, and " +
                      std::to_string(evidence.threads) + " declared",
                  "join threads before returning, or declare the pool with the workload's `threads` axis");
  }
  const double driver = evidence.device == DeviceKind::cpu ? 0 : kDriverCpuNs;
  const double allowed = std::max({kAccountGrainNs, driver, kParkingCpuNs * helpers,
                                   kLargestShareAfterReturn * evidence.timing.shortest_window_ns});
  if (!(*process.cpu_after_return_ns <= allowed)) {
    return reject(
        "the process used " + duration(*process.cpu_after_return_ns) +
            " of CPU time after a call had returned; " + duration(allowed) + " is allowed",
        "finish inside the call; make pools sleep (OMP_WAIT_POLICY=passive), for one that spins looks the "
        "same as one that works");
  }
  return pass("at most " + duration(*process.cpu_after_return_ns) + " of CPU time after a return, " +
              std::to_string(*process.threads_after) + " threads");
}

}  // namespace

constexpr Guard no_work_after_return{
    .id = "no_work_after_return",
    .question = "Was the work over when the call returned?",
    .issues = {2, 33},
    .required_from = Policy::standard,
    .judge = no_work_after_return_finding,
};

}  // namespace aisp::guards
