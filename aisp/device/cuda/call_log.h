// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the host asked of the driver during a recording (DriverCalls), free of CUDA's own types.
#pragma once

#include <cstdint>
#include <vector>

#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

/// A call that launched a kernel.
struct KernelLaunch {
  std::uint64_t call = 0;
  double at_ns = 0;
  bool cooperative = false;
};

struct CallLog {
  std::vector<device::Activity> activities;
  std::vector<KernelLaunch> launches;
  std::uint64_t lost = 0;
};

}  // namespace aisp::cuda
