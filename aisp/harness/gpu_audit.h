// SPDX-License-Identifier: Apache-2.0
/// \file
/// An attempt that times nothing: each variant once more, in a process of its own, with everything recorded
/// that the device is made to do, then with its counters read. What the figures rest on is checked against
/// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aisp/core/evidence.h"
#include "aisp/core/fields.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

struct AuditedVariant {
  std::string name;
  AnswerEvidence answers;  ///< what is recorded must be the work, not a show
  DeviceEvidence device;
  MemoryFigures memory;  ///< that its plan and its calls allocated on the device
  AISP_FIELDS(name, answers, device, memory)
};

struct AuditReport {
  std::vector<AuditedVariant> variants;
  std::vector<std::string> notes;  ///< what could not be established, and why
  AISP_FIELDS(variants, notes)
};

/// `counters`: read counters instead of recording; one process cannot do both.
Result<AuditReport> audit(const Workload& workload, const CellSpec& spec, bool counters,
                          const std::function<void(const std::string&)>& announce);

}  // namespace aisp::harness
