// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tables of the store, version by version. A new store applies every version in turn, so that a fresh
/// store and a migrated one are the same thing.
///
///   database.execute(schema_sql(2));   // from version 1 to version 2, inside a transaction of migrate()
///
/// A published version is never edited: add the next one.
#pragma once

#include <cstdint>

namespace aisp::store {

inline constexpr int kSchemaVersion = 2;
/// "aisp" in the header of the file: tells our stores from other programs' databases.
inline constexpr std::int64_t kApplicationId = 0x61697370;

/// The step that leads to `version` from the one before.
const char* schema_sql(int version);

}  // namespace aisp::store
