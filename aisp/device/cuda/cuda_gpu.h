// SPDX-License-Identifier: Apache-2.0
/// \file
/// A CUDA device as the harness uses it: everything that device/gpu/gpu.h asks for, put together.
#pragma once

#include <memory>

#include "aisp/device/gpu/gpu.h"

namespace aisp::cuda {

/// Makes the device current for this process. Fails, with the driver's words, where there is none.
Result<std::unique_ptr<device::Gpu>> open_cuda(int index, device::GpuUse use);

}  // namespace aisp::cuda
