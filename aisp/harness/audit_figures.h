// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator's side of an audit: has a cell's variants recorded and counted by workers of their own,
/// and adds what they found to the evidence.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

/// Facts that could not be established stay unknown; returned is why. What a call takes of energy is left out
/// unless asked for: it takes a second and more for each variant.
std::vector<std::string> audit_cell(CellResult& cell, const CellSpec& spec, const WorkerSetup& setup,
                                    bool energy);

}  // namespace aisp::harness
