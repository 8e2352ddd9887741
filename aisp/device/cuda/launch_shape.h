// SPDX-License-Identifier: Apache-2.0
/// \file
/// The geometry of a kernel's launch. The stopwatch subtracts what starting and ending an empty kernel of the
/// same geometry costs.
#pragma once

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {

struct LaunchShape {
  dim3 grid = 1;
  dim3 block = 1;
  unsigned shared_bytes = 0;  ///< of a block, static and dynamic
};

}  // namespace aisp::cuda
