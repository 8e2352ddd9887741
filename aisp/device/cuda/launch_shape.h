// SPDX-License-Identifier: Apache-2.0
/// \file
/// The geometry of the kernels a call launches, read from a graph that captures the call instead of running
/// it. The stopwatch subtracts what starting and ending an empty kernel of the same geometry costs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {

struct LaunchShape {
  dim3 grid = 1;
  dim3 block = 1;
  unsigned shared_bytes = 0;  ///< of a block, static and dynamic
};

/// One entry per kernel, in the order in which they were captured: none where the call launches none. Nothing
/// where it cannot be captured: it waits for the device, or uses the legacy stream.
std::optional<std::vector<LaunchShape>> launch_shapes(const std::function<void(cudaStream_t)>& call);

}  // namespace aisp::cuda
