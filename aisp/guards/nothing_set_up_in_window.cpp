// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Compiling belongs to prepare(). Memory taken inside the call may be the subject of a workload: a note.
Finding nothing_set_up_in_window_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  if (!device.compilations_in_window || !device.allocations_in_window) {
    return unknown("compilations and allocations in windows were not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  if (*device.compilations_in_window > 0) {
    return reject(count(*device.compilations_in_window) + " times code was compiled or loaded in a window",
                  "compile and load in prepare()");
  }
  if (*device.allocations_in_window > 0) {
    return note(count(*device.allocations_in_window) + " allocations or releases in a window",
                "prepare() is the place for workspace");
  }
  return pass("nothing was compiled, loaded or allocated in a window");
}

}  // namespace

constexpr Guard nothing_set_up_in_window{
    .id = "nothing_set_up_in_window",
    .question = "Was everything compiled, loaded and allocated before the window?",
    .issues = {35, 57},
    .required_from = Policy::standard,
    .judge = nothing_set_up_in_window_finding,
};

}  // namespace aisp::guards
