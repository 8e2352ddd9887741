// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp history` says where there is no series: whether anything was asked for in particular, and what
/// there would be.
#pragma once

#include <string>

#include "aisp/cli/command.h"
#include "aisp/cli/stored_history.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Whether results were chosen by more than being of this machine.
bool is_narrowed(const Arguments& arguments, const HistoryQuery& query);

/// "no result matches workload ch07, device gpu on ...; there are results of 12 workloads of cpu on ...": a
/// line or more. From the store that --store names.
Result<std::string> unmatched_text(const Arguments& arguments, const HistoryQuery& query);

}  // namespace aisp::cli
