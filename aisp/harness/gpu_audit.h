// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attempts that time nothing: each variant once more, in processes of their own, with everything recorded
/// that the device is made to do, then with its counters read, then over and over while its energy is
/// counted. What the figures rest on is checked against them.
#pragma once

#include <cstdint>
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
  EnergyEvidence energy;
  std::vector<std::pair<std::string, double>> counters;  ///< as VariantResult has them
  AISP_FIELDS(name, answers, device, memory, energy, counters)
};

/// Of one variant, or of none: what concerns all of them.
struct AuditReport {
  std::vector<AuditedVariant> variants;
  std::vector<std::string> notes;  ///< what could not be established, and why
  AISP_FIELDS(variants, notes)
};

/// What an audit looks at; one process cannot do two of them.
enum class AuditOf : std::uint8_t { activity, counters, energy };

struct AuditTask {
  AuditOf what = AuditOf::activity;
  std::vector<std::string> left_out = {};  ///< of the cell's variants: audited before, or not to be audited
};

/// `tell` hears of each variant as soon as it is audited: what ends the process costs only those after it.
Status audit(const Workload& workload, const CellSpec& spec, const AuditTask& task,
             const std::function<void(const std::string&)>& announce,
             const std::function<void(const AuditReport&)>& tell);

}  // namespace aisp::harness
