// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads what can still be read from a damaged store, without changing it.
///
///   Salvage found = salvage(damaged, [&](const Event& event) { append(fresh, event); });
///
/// Only events that match their own hash are handed over, each once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "aisp/store/event.h"

namespace aisp::store {

struct Salvage {
  std::int64_t recovered = 0;
  std::int64_t lost = 0;  ///< rows that were seen, or must have been there, and are not whole
};

Salvage salvage(const std::filesystem::path& file, const std::function<void(const Event&)>& keep);

}  // namespace aisp::store
