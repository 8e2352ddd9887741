// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brings the tables of an older store to this program's version. Each step is one transaction: a process
/// killed anywhere leaves the old version or the new one. Of two processes that migrate at once, one waits.
///
///   Database database(file, OpenMode::read_write, timeout);
///   migrate(database);   // throws Failure: a newer store is refused
///
/// Not for reading: a store of any known version, and of a newer one that kept the columns, reads as it is.
#pragma once

#include <string>

#include "aisp/store/database.h"

namespace aisp::store {

/// 0 where there are no tables yet.
int schema_version(const Database& database);
/// Inside a transaction of the caller.
void set_schema_version(const Database& database, int version);

/// Throws when a newer program wrote this store; changing it could break what that program relies on.
void refuse_newer(const Database& database);

void migrate(const Database& database);

/// The first table, index or trigger that is not as its version made it; empty when all are. What others
/// added does not matter. For versions this program knows.
std::string altered_part(const Database& database);

}  // namespace aisp::store
