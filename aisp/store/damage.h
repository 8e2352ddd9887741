// SPDX-License-Identifier: Apache-2.0
/// \file
/// Quick signs of damage in a store that is being opened: a few milliseconds, whatever the size. SQLite
/// itself notices only what it happens to read.
///
///   if (std::optional<Damage> damage = find_damage(database)) ...   // damage->what: "the file is empty"
///
/// Not a proof of health: loading checks every event it reads, and check_chain() checks them all.
#pragma once

#include <optional>
#include <string>

#include "aisp/store/database.h"

namespace aisp::store {

struct Damage {
  std::string what;       ///< in words
  bool readable = false;  ///< parts of it can still be read, each event checked by its hash
};

/// What is wrong; nothing when nothing was found. Throws Failure when the file belongs to another
/// program, or cannot be read for a reason that is not damage.
std::optional<Damage> find_damage(const Database& database);

}  // namespace aisp::store
