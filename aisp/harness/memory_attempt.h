// SPDX-License-Identifier: Apache-2.0
/// \file
/// How much memory a variant takes, measured in a worker of its own: plan and call together, harness buffers
/// excluded, since other variants' leftovers would hide or inflate it. Several calls, each checked.
#pragma once

#include <functional>
#include <string>

#include "aisp/core/fields.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

/// The figures, and what the answers of the calls behind them were: memory not used for a wrong answer is not
/// saved.
struct MemoryReport {
  MemoryFigures figures;
  AnswerEvidence answers;
  AISP_FIELDS(figures, answers)
};

/// `spec.variants` names the one variant.
Result<MemoryReport> measure_memory(const Workload& workload, const CellSpec& spec,
                                    const std::function<void(const std::string&)>& announce);

}  // namespace aisp::harness
