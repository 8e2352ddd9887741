// SPDX-License-Identifier: Apache-2.0
/// \file
/// Quick signs of damage in a store that is being opened: a few milliseconds, whatever the size. SQLite
/// itself notices only what it happens to read.
///
///   if (std::optional<std::string> damage = find_damage(database)) ...   // "the file is empty"
///
/// Not a proof of health: loading checks every event it reads, and check_chain() checks them all.
#pragma once

#include <optional>
#include <string>

#include "aisp/store/database.h"

namespace aisp::store {

/// What is wrong, in words; nothing when nothing was found. Throws Failure when the file belongs to another
/// program, or cannot be read for a reason that is not damage.
std::optional<std::string> find_damage(const Database& database);

}  // namespace aisp::store
