// SPDX-License-Identifier: Apache-2.0
/// \file
/// NVML's numbers in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace aisp::cuda {

/// Of a mask of nvmlClocksEventReasons: what holds the clocks back. A bit without a name is told by its
/// value.
std::vector<std::string> throttle_words(unsigned long long reasons);

/// Of nvmlComputeMode_t; nothing for a mode that is not known.
std::optional<std::string> compute_mode_word(std::optional<int> mode);

}  // namespace aisp::cuda
