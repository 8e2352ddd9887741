// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ceilings as `aisp peak` prints them.
#pragma once

#include <string>

#include "aisp/core/ceiling.h"
#include "aisp/core/workload.h"

namespace aisp::cli {

/// A line for each ceiling; on a GPU with the share of what its maker publishes. Then what could not be
/// measured, or not undisturbed.
std::string peak_table(const Ceilings& ceilings, DeviceKind kind);

}  // namespace aisp::cli
