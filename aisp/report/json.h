// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run as JSON, complete: what `from_json<RunRecord>` (wire/json.h) reads back, with the schema's name and
/// version as the first two members.
///
///   {"schema": "aisp.run", "schema_version": 1, "id": "20261115-142301-9f3a", ...}
///
/// The version grows when a member changes its meaning or goes away; new members do not change it.
#pragma once

#include <string>

#include "aisp/core/record.h"
#include "aisp/wire/json.h"

namespace aisp::report {

inline constexpr int kRunSchemaVersion = 1;

/// Much of a run of many cells is evidence.
Json run_document(const RunRecord& run, bool evidence = true);
std::string render_json(const RunRecord& run);

}  // namespace aisp::report
