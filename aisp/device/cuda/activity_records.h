// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUPTI's records in this program's terms.
#pragma once

#include <optional>
#include <string>

#include "aisp/device/cuda/cupti_library.h"
#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

/// Nothing for a record of a kind that says nothing about what ran.
std::optional<device::Activity> activity_of(const CUpti_Activity& record);

/// A kernel's name as its author wrote it.
std::string demangled(const char* name);

}  // namespace aisp::cuda
