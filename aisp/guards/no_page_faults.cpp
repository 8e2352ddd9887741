// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>
#include <string>

namespace aisp::guards {
namespace {

// The harness touches its buffers beforehand, so minor faults are the variant's own allocations: a cost it
// has, worth a note. A major fault waits for a disk and has nothing to do with the code - except for stateful
// work on files, where it may be the work.
Finding no_page_faults_finding(const Evidence& evidence) {
  const ProcessEvidence& process = evidence.process;
  if (!process.major_faults || !process.minor_faults) {
    return unknown("page faults inside windows were not counted", "getrusage gave nothing here");
  }
  if (*process.major_faults > 0) {
    const std::string because =
        count(*process.major_faults) + " page faults inside windows waited for a disk";
    if (evidence.shape == Shape::stateful) {
      return note(because, "expected where files are mapped; else free some memory");
    }
    if (evidence.accelerator.declares_managed_memory.value_or(false)) {
      return note(count(*process.major_faults) + " page faults inside windows waited",
                  "as declared: pages of unified memory that the host touches come from the device");
    }
    // Pages of unified memory that the host touches come back from the device, and no disk has to do with it.
    if (evidence.accelerator.unified_memory_moves.value_or(0) > 0) {
      return reject(count(*process.major_faults) +
                        " page faults inside windows waited, and pages of unified memory moved",
                    "use device memory, or leave its pages to the device during a call; where moving them is "
                    "the subject, declare .managed_memory = true for the variant");
    }
    return reject(because, "free some memory, or close what fills the page cache, and run again");
  }
  const double calls = std::max(1.0, static_cast<double>(evidence.answers.calls));
  const double per_call = static_cast<double>(*process.minor_faults) / calls;
  if (!(per_call <= kNotableMinorFaultsPerCall)) {
    return note(
        number(per_call) + " minor page faults per call",
        "the variant takes memory from the system inside its call; prepare() is the place for workspace");
  }
  return pass("no major and " + count(*process.minor_faults) + " minor faults inside windows");
}

}  // namespace

constexpr Guard no_page_faults{
    .id = "no_page_faults",
    .question = "Were the windows free of page faults that read from disk?",
    .issues = {41, 42, 86},
    .required_from = Policy::standard,
    .judge = no_page_faults_finding,
};

}  // namespace aisp::guards
