// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

#include <algorithm>

namespace aisp::guards {
namespace {

/// What recording may add: it delays the start of each piece of work. Those that were there where it was
/// timed count, not what is done only while somebody looks.
double allowed_ns(const DeviceEvidence& device, std::uint64_t pieces) {
  const std::uint64_t seen = std::min(pieces, device.audited_pieces.value_or(1));
  return (1 + kLargestAuditShare) * *device.timed_ns +
         kRecordingNs * static_cast<double>(std::max<std::uint64_t>(seen, 1));
}

// Code can find out that it is recorded. What it does then is proof only if it is what is timed: as many
// kernels, and no longer on the device.
Finding audited_as_timed_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  const auto& instrument = evidence.timing.instrument;
  if (instrument == Instrument::call) return pass("does not apply: timed by the host's clock");
  if (instrument == Instrument::steady || device.rotation_over_cache)
    return pass("does not apply: calls are audited one at a time");
  if (device.device_launches.value_or(0) > 0 && device.declares_device_launches.value_or(false))
    return pass("does not apply: the device launches work itself, as declared");
  if (device.captured_kernels && device.fewest_captured_kernels &&
      *device.captured_kernels != *device.fewest_captured_kernels) {
    return reject("a call launches " + count(*device.fewest_captured_kernels) +
                      " kernels in one attempt and " + count(*device.captured_kernels) + " in another",
                  "do the same in every process; what depends on its state is another variant");
  }
  if (device.captured_kernels && device.audited_kernels &&
      *device.captured_kernels != *device.audited_kernels) {
    return reject("a call launches " + count(*device.captured_kernels) + " kernels where it is timed and " +
                      count(*device.audited_kernels) + " where it is recorded",
                  "do the same whether somebody looks or not, on the stream the call gets or joined to it");
  }
  if (device.unified_memory_moves.value_or(0) > 0 && device.declares_managed_memory.value_or(false))
    return pass("pages move in windows, as declared, and recording slows that: times were not compared");
  if (!instrument || !device.timed_ns || !device.audited_ns) {
    return unknown("how long a call takes on the device while it is recorded is not known",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  const std::string both = "a call takes " + duration(*device.audited_ns) +
                           " on the device while it is recorded and " + duration(*device.timed_ns) +
                           " where it is timed";
  if (!(*device.audited_ns <= allowed_ns(device, device.captured_pieces.value_or(1)))) {
    const bool may_be_recording = !device.captured_pieces &&
                                  *device.audited_ns <= allowed_ns(device, device.audited_pieces.value_or(1));
    if (!may_be_recording) return reject(both, "do the same whether somebody looks or not");
    return unknown(both +
                       ", which recording explains only if it does as much where it is timed: there its call "
                       "cannot be captured",
                   "let its work be captured as a graph");
  }
  const bool counted = device.captured_kernels && device.audited_kernels;
  return pass("recorded calls take " + duration(*device.audited_ns) + " on the device, timed ones " +
              duration(*device.timed_ns) +
              (counted ? ", with " + count(*device.audited_kernels) + " kernels each"
                       : "; their kernels could not be compared"));
}

}  // namespace

constexpr Guard audited_as_timed{
    .id = "audited_as_timed",
    .question = "Was what was recorded the same as what was timed?",
    .issues = {1, 7},
    .required_from = Policy::standard,
    .judge = audited_as_timed_finding,
};

}  // namespace aisp::guards
