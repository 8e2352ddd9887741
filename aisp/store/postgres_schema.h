// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the tables of a store on a server have beside those of a file: a row with the version and the number
/// of events ever written, which SQLite keeps in the file's header and in its own counter; and the triggers,
/// as functions.
#pragma once

#include <string>
#include <string_view>

#include "aisp/store/database.h"

namespace aisp::store {

/// Part of version 1 of the schema.
std::string postgres_state_sql();
std::string postgres_triggers_sql();

/// What the function behind a trigger does; empty for other names.
std::string_view trigger_body(std::string_view trigger);

/// SQLite has no TRUNCATE.
inline constexpr const char* kTruncateTrigger = "events_never_truncated";

/// Whether the tables are there.
bool has_state(const Database& database);
bool has_events_table(const Database& database);

}  // namespace aisp::store
