// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory under the names that readers of older tools look for. 1 MB is 10^6 bytes; unknown is null.
///
/// Include it in .cpp files only, as wire/json.h.
#pragma once

#include <optional>

#include "aisp/core/record.h"
#include "aisp/wire/json.h"

namespace aisp::cli {

inline Json megabytes(const std::optional<double>& bytes) {
  return bytes ? Json(*bytes / 1e6) : Json(nullptr);
}

inline void add_megabytes(Json& object, const MemoryFigures& memory) {
  object["peak_mb"] = megabytes(memory.peak_bytes);
  object["allocated_mb"] = megabytes(memory.current_bytes);
  object["reserved_mb"] = megabytes(memory.reserved_bytes);
  object["memory_savings_pct"] = to_json(memory.savings_percent);
}

}  // namespace aisp::cli
