// SPDX-License-Identifier: Apache-2.0
/// \file
/// What becomes of a cell whose workers did not all finish: variants that ended a worker are failed, and
/// where nothing could be measured every variant says why. A signal from the user is nobody's failure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/harness/catalogue.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

inline constexpr const char* kSkipped = "skipped";  ///< CellResult::stopped

/// A ladder whose baseline cannot run here has nothing to compare with: all of it is skipped. True if so.
bool skip_cell(CellResult& cell);

/// Of the ladder, in its order: a cell that ended early names none that it would not have measured.
std::vector<VariantInfo> asked_for(const std::vector<VariantInfo>& declared,
                                   const std::vector<std::string>& choice);

/// `asked`: in the order of the result; the first is the baseline. `failed`: left out, and how each ended its
/// worker. `fatal`: what ended the cell.
void mark_ends(CellResult& cell, const std::vector<VariantInfo>& asked,
               const std::map<std::string, WorkerEnd>& failed, const std::optional<WorkerEnd>& fatal);

}  // namespace aisp::harness
