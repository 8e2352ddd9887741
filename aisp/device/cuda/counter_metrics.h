// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which of CUPTI's metrics make up this program's counters, and how.
#pragma once

#include <span>
#include <vector>

#include "aisp/device/gpu/counters.h"

namespace aisp::cuda {

/// CUPTI's names, for all groups together.
std::vector<const char*> metrics_of(std::span<const device::CounterGroup> groups);

/// `values[i]` is the value of `metrics[i]`. What is not among them, or not a number, stays absent.
device::Counters counters_of(std::span<const char* const> metrics, std::span<const double> values);

}  // namespace aisp::cuda
