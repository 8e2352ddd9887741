// SPDX-License-Identifier: Apache-2.0
/// \file
/// How much memory a variant takes, measured in a worker of its own: plan and call together, harness buffers
/// excluded, since other variants' leftovers would hide or inflate it.
#pragma once

#include <functional>
#include <string>

#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

/// `spec.variants` names the one variant.
Result<MemoryFigures> measure_memory(const Workload& workload, const CellSpec& spec,
                                     const std::function<void(const std::string&)>& announce);

}  // namespace aisp::harness
