// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fresh inputs drawn where they live. Element i is what the host's draw() gives it from the same stream, to
/// the last bit where no logarithm or cosine is involved.
#pragma once

#include <cstdint>

#include "aisp/core/distribution.h"
#include "aisp/core/tensor.h"

namespace aisp::cuda {

/// Launches on the default stream. False where the form is one that only the host can draw.
bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor);

}  // namespace aisp::cuda
