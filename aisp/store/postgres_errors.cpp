// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_errors.h"

#include "aisp/store/one_line.h"

namespace aisp::store {
// The classes are those of the manual's appendix "PostgreSQL Error Codes".
Failure postgres_failure(std::string_view state, const std::string& detail, const std::string& name) {
  const std::string why = one_line(detail);
  const auto error = [&](ErrorCode kind, const std::string& cause, const std::string& hint) {
    return Error{kind, "store " + name + ": " + cause, hint};
  };
  const auto of_class = [&](std::string_view prefix) { return state.starts_with(prefix); };
  if (state.empty() || of_class("08") || of_class("57P")) {
    return {error(ErrorCode::io, "no connection to the server (" + why + ")",
                  "check the URL, the network and the server")};
  }
  if (of_class("28") || of_class("3D")) {
    return {error(ErrorCode::io, "the server refused (" + why + ")",
                  "check user and database; a password belongs into ~/.pgpass or PGPASSWORD")};
  }
  if (state == "55P03" || state == "57014")
    return {
        error(ErrorCode::io, "locked by another process for too long", "end the other process and repeat")};
  if (of_class("40"))
    return {error(ErrorCode::io, "the server gave up a transaction (" + why + ")", "repeat")};
  if (state == "53100") {
    return {error(ErrorCode::io, "the server's disk is full (" + why + ")",
                  "free some space there, or run 'aisp store prune'")};
  }
  if (of_class("53") || of_class("58"))
    return {error(ErrorCode::io, "the server failed (" + why + ")", "look into the server's log")};
  if (state == "42501" || state == "25006") {
    return {error(
        ErrorCode::io, "it cannot be written (" + why + ")",
        "GRANT the right to create and to write tables, or choose another store with --store or AISP_STORE")};
  }
  if (of_class("XX")) {
    return {error(ErrorCode::store, "the server reports damage (" + why + ")",
                  "look into the server's log; restore the database from a backup"),
            true};
  }
  return {error(ErrorCode::store, why, "run 'aisp store check'")};
}

}  // namespace aisp::store
