// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernels that move data, as a list to choose from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aisp/device/cuda/peak_bench.h"
#include "aisp/device/cuda/peak_stream.cuh"

namespace aisp::cuda {

/// One kernel with its block and grid.
struct StreamProbe {
  std::string name;
  std::size_t tile_bytes = 0;
  std::function<void(Stretch, cudaStream_t)> run;
};

/// For sets that no cache holds: vector widths, unrolls, hints, grids.
std::vector<StreamProbe> memory_probes(Way way, const DeviceFacts& facts);
/// For sets that the L2 cache holds: only what goes past the L1 cache, in grids that stay resident.
std::vector<StreamProbe> cache_probes(Way way, const DeviceFacts& facts);

/// The probe as a candidate: `bytes` of each array are moved `passes` times.
Candidate candidate(PeakBench& bench, const StreamProbe& probe, Way way, Stretch stretch, std::size_t bytes);

}  // namespace aisp::cuda
