// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether this build has code that a device can run. Without this question the first kernel of a worker
/// would answer it, by failing.
#pragma once

#include <optional>
#include <string>

namespace aisp::cuda {

/// Why the current device cannot run the kernels of this build; nothing where it can. Throws CudaError.
std::optional<std::string> missing_code();

}  // namespace aisp::cuda
