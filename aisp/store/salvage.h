// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads what can still be read from a damaged store, without changing it.
///
///   Salvage found = salvage(damaged, fresh.head(kPageBytes), [&](const Event& event) { append(fresh, event);
///   });
///
/// Only events that match their own hash are handed over, each once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "aisp/store/event.h"

namespace aisp::store {

struct Salvage {
  std::int64_t recovered = 0;
  std::int64_t lost = 0;  ///< rows that were seen, or must have been there, and are not whole
};

/// The page size of every store we create.
inline constexpr int kPageBytes = 4096;

/// `first_page` is that of a new store. When the file's own is destroyed, and with it the way to every other
/// page, it is lent to a copy: tables of all stores begin on the same pages. Throws what `keep` throws.
Salvage salvage(const std::filesystem::path& file, const std::string& first_page,
                const std::function<void(const Event&)>& keep);

}  // namespace aisp::store
