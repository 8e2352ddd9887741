// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a table, an index or a trigger is in the database as this program made it.
///
///   has_part(database, {"index", "run_starts", "CREATE INDEX run_starts ON ..."});
///
/// SQLite keeps the text of each and is compared with it. A server keeps none: there a table has its columns,
/// an index is valid, and a trigger is on and does what it should.
#pragma once

#include <string>

#include "aisp/store/database.h"

namespace aisp::store {

struct Part {
  std::string type;  ///< "table", "index", "trigger"
  std::string name;
  std::string sql;  ///< as for SQLite
};

bool has_part(const Database& database, const Part& part);

}  // namespace aisp::store
