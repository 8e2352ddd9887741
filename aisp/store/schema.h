// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tables of the store, version by version. A new store applies every version in turn, so that a fresh
/// store and a migrated one are the same thing.
///
///   database.execute(schema_sql(database.engine(), 2).c_str());   // from 1 to 2, in a transaction of
///   migrate()
///
/// A published version is never edited: add the next one. Tables and indices are the same text for both
/// engines (dialect.h); triggers are written for each.
#pragma once

#include <cstdint>
#include <string>

#include "aisp/store/connection.h"

namespace aisp::store {

inline constexpr int kSchemaVersion = 2;
/// "aisp" in the header of the file: tells our stores from other programs' databases.
inline constexpr std::int64_t kApplicationId = 0x61697370;

/// The step that leads to `version` from the one before.
std::string schema_sql(Engine engine, int version);

}  // namespace aisp::store
