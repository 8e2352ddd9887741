// SPDX-License-Identifier: Apache-2.0
/// \file
/// Comparison of an answer with the reference where both live. The first wrong element is described by the
/// host, which fetches it.
#pragma once

#include "aisp/core/tensor.h"
#include "aisp/core/tolerance.h"
#include "aisp/device/gpu/gpu_data.h"

namespace aisp::cuda {

/// What a comparison found. The worst error is kept as the bits of a double, which order like the double
/// itself as long as it is not negative.
struct Comparison {
  unsigned long long wrong = 0;
  unsigned long long first = ~0ull;
  unsigned long long worst_bits = 0;
};

/// Launches on the default stream.
void compare(const TensorView& got, const device::WideOnDevice& want, const Tolerance& tolerance,
             Comparison* found);

struct Seen {
  unsigned differs = 0;     ///< some element is not the first one
  unsigned not_finite = 0;  ///< some element is a NaN or Inf
};
void look(const TensorView& tensor, Seen* seen);

}  // namespace aisp::cuda
