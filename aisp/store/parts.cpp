// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/parts.h"

#include <sstream>
#include <utility>

#include "aisp/store/postgres_schema.h"

namespace aisp::store {
namespace {

/// "seq,id,run": the first word of every declaration between the outer parentheses, but for constraints.
std::string columns_of(const std::string& sql) {
  std::string columns, declaration;
  int depth = 0;
  const auto take = [&] {
    std::istringstream words(std::exchange(declaration, {}));
    std::string name;
    if (!(words >> name) || name == "PRIMARY" || name == "UNIQUE") return;
    columns += (columns.empty() ? "" : ",") + name;
  };
  for (const char c : sql.substr(sql.find('(') + 1)) {
    if (depth == 0 && (c == ',' || c == ')')) {
      take();
      if (c == ')') break;
      continue;
    }
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    declaration += c;
  }
  return columns;
}

bool on_server(const Database& database, const Part& part) {
  if (part.type == "table") {
    Statement found = database.prepare(
        "SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute "
        "WHERE attrelid = to_regclass(?1) AND attnum > 0 AND NOT attisdropped");
    return found.bind(1, part.name).step() && found.text(0) == columns_of(part.sql);
  }
  if (part.type == "index") {
    Statement found = database.prepare(
        "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(?1) AND indisvalid AND indislive");
    return found.bind(1, part.name).step();
  }
  Statement found = database.prepare(
      "SELECT p.prosrc FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid "
      "WHERE t.tgrelid = to_regclass('events') AND t.tgname = ?1 AND t.tgenabled IN ('O', 'A')");
  return found.bind(1, part.name).step() && found.text(0) == trigger_body(part.name);
}

}  // namespace

bool has_part(const Database& database, const Part& part) {
  if (database.engine() == Engine::postgres) return on_server(database, part);
  Statement found = database.prepare("SELECT sql FROM sqlite_schema WHERE type = ?1 AND name = ?2");
  return found.bind(1, part.type).bind(2, part.name).step() && found.text(0) == part.sql;
}

}  // namespace aisp::store
