// SPDX-License-Identifier: Apache-2.0
/// \file
/// What commands say as JSON, for those who send it elsewhere than to stdout: the same words from the same
/// function. Each is defined in the file of its command.
///
/// Include it in .cpp files only, as wire/json.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aisp/analysis/leaderboard.h"
#include "aisp/cli/comparison.h"
#include "aisp/core/history.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"
#include "aisp/probes/doctor.h"
#include "aisp/store/query.h"
#include "aisp/wire/json.h"

namespace aisp::cli {

/// Of `aisp list`.
Json workloads_json(std::span<const harness::WorkloadInfo* const> workloads);
/// Of `aisp show --runs`.
Json runs_json(std::span<const store::RunSummary> runs);
/// Whether one is being measured: who kills it adds nothing to the store, and yet it has ended.
bool any_runs_still(std::span<const store::RunSummary> runs);
/// Of `aisp explain`: everything there is.
Json guards_json();
/// Of `aisp explain ISSUE|GUARD`; an error names what is near.
Result<Json> guard_json(const std::string& asked);
/// Of `aisp doctor`, the GPUs' too: asking them takes a moment.
std::vector<probes::Advice> examine_machine();
Json findings_json(std::span<const probes::Advice> findings);
/// Of `aisp utils probe-hw`.
Json hardware_parts_json();
/// Of `aisp leaderboard`. The rank within a contest, and whether it is shared, are null where the rounds of
/// its cells were not read.
Json leaders_json(const std::vector<analysis::Leader>& leaders);
/// Of `aisp compare`.
Json comparison_json(const ComparisonAnswer& answer);

}  // namespace aisp::cli
