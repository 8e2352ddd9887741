// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brings together what the device's records and the host's calls say about the same work.
#pragma once

#include <cstdint>
#include <vector>

#include "aisp/device/cuda/call_log.h"
#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

/// Launches of which no record speaks.
std::uint64_t without_record(const std::vector<KernelLaunch>& launches,
                             const std::vector<device::Activity>& records);

/// Records and calls in order of their beginning. A kernel that a call launched cooperatively is marked so. A
/// graph lasts from its first node's start to its last node's end; what was not over begins when it was asked
/// for, or, where that is not known, with the recording.
std::vector<device::Activity> joined(std::vector<device::Activity> records, CallLog calls,
                                     double recording_began_ns);

}  // namespace aisp::cuda
