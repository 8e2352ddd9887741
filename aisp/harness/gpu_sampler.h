// SPDX-License-Identifier: Apache-2.0
/// \file
/// The worker's half of the method for a cell on a GPU. Sampler::open chooses it by the cell's device.
#pragma once

#include <memory>

#include "aisp/harness/sampler.h"

namespace aisp::harness {

/// Allocates, prepares and warms up. Refuses sizes that do not fit the device's free memory.
Result<std::unique_ptr<Sampler>> open_gpu_sampler(const Workload& workload, const CellSpec& spec,
                                                  Problem problem, Sampler::Announce announce);

}  // namespace aisp::harness
