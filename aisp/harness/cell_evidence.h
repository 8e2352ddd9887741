// SPDX-License-Identifier: Apache-2.0
/// \file
/// The evidence that only the coordinator has: the floor of the declared work, the configuration before and
/// after, whether every attempt's seed is the one it was committed to, and whether all variants had the same
/// power limit. The same for a cell of one build and of two.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/config.h"
#include "aisp/core/record.h"
#include "aisp/harness/plan.h"
#include "aisp/harness/sampler.h"

namespace aisp::harness {

struct CellContext {
  const PlannedCell& cell;
  const RunConfig& config;
  const Ceilings& ceilings;
  std::string hash_at_start, hash_at_end;  ///< of the configuration alone, or hash_pair()
};

/// Two hashes as one text, as a job carries them: of the configuration and of the programs that run it.
std::string hash_pair(const std::string& configuration, const std::string& programs);

/// Fills work, floors and configuration evidence of every variant of the result. The programs are unchanged
/// if their hash is, and if no object had two build ids in two attempts: one that was replaced and put back
/// did.
void fill_evidence(CellResult& result, const Opened& opened, const CellContext& context);

/// Adds what a worker has loaded; an object already there is not repeated. `prefix` tells two builds apart.
void add_libraries(std::vector<Fact>& all, const std::vector<Fact>& loaded, const std::string& prefix = "");

/// What its workers could not be kept from, as a note of the cell: once, however many say it. Unknown is
/// noted too.
void note_containment(CellResult& cell, const std::string& containment);

/// The empty part of a result: what the workload and the configuration say about the cell.
CellResult empty_result(const PlannedCell& cell, const RunConfig& config);

}  // namespace aisp::harness
