// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the vendor's library makes of large square matrices of random numbers: "library_matmul" of every
/// type it has an algorithm for. Skipped, with the reason, where the library is not found.
#pragma once

#include "aisp/device/cuda/peak_bench.h"

namespace aisp::cuda {

void measure_library_matmul(PeakBench& bench);

}  // namespace aisp::cuda
