// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>
#include <string>

namespace aisp::guards {
namespace {

// A ratio between one thread and two is no optimisation. CPU time over wall time counts the cores in use.
Finding threads_as_declared_finding(const Evidence& evidence) {
  const ProcessEvidence& process = evidence.process;
  if (!process.cpu_in_windows_ns || !process.wall_in_windows_ns) {
    return unknown("CPU time inside windows was not recorded", "the process probe was off");
  }
  const double wall = *process.wall_in_windows_ns;
  const double cores = *process.cpu_in_windows_ns / wall;
  if (!(*process.cpu_in_windows_ns <= wall * (evidence.threads + kThreadSlack) + kCpuGrainNs)) {
    return reject(
        "used " + number(cores) + " cores inside its windows, declared " + std::to_string(evidence.threads),
        "set the library's threads to what is declared, or declare more with the `threads` axis");
  }
  // Where other processes hold the cores, wall time is no measure of this; but a workload of one thread has
  // no others.
  const double others = process.others_cpu_in_windows_ns.value_or(0);
  // Threads of a GPU's driver are nobody's to declare, and every attempt has its own.
  const double driver = evidence.device == DeviceKind::cpu
                            ? 0
                            : kDriverCpuNs * std::max(1, evidence.sampling.attempts_finished);
  if (evidence.threads <= 1 &&
      !(others <= kUndeclaredShare * (*process.cpu_in_windows_ns - others) + kAccountGrainNs + driver)) {
    return reject("other threads used " + duration(others) + " of the " +
                      duration(*process.cpu_in_windows_ns) +
                      " of CPU time inside its windows, and one thread is declared",
                  "declare the threads with the `threads` axis");
  }
  // Without a word about what is allowed for, more than is declared would read as a contradiction.
  const std::string allowed = *process.cpu_in_windows_ns > wall * evidence.threads
                                  ? ", within the allowance of " + number(kThreadSlack) + " cores and " +
                                        duration(kCpuGrainNs) + " for the grain of accounting"
                                  : "";
  return pass("used " + number(cores) + " cores of " + std::to_string(evidence.threads) + " declared" +
              allowed);
}

}  // namespace

constexpr Guard threads_as_declared{
    .id = "threads_as_declared",
    .question = "Did the variant use no more cores than it declared?",
    .issues = {33},
    .required_from = Policy::standard,
    .judge = threads_as_declared_finding,
};

}  // namespace aisp::guards
