// SPDX-License-Identifier: Apache-2.0
/// \file
/// The few things that SQLite and PostgreSQL spell differently. All other SQL of the store is the same text
/// for both.
///
///   database.prepare("SELECT " + json_field(database.engine(), "payload", {"manifest", "command"}) + " FROM
///   ...")
///
/// Text compares by bytes in both: what PostgreSQL's tables hold is declared COLLATE "C".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "aisp/store/connection.h"

namespace aisp::store {

/// A field of a JSON text, as text or number.
std::string json_field(Engine engine, std::string_view column, std::initializer_list<std::string_view> path);

/// What follows every text that begins with the given one: `x >= ?1 AND x < after_prefix("?1")`.
std::string after_prefix(Engine engine, std::string_view prefix);

/// Whether `part` occurs in `text`, whatever the case.
std::string contains_text(Engine engine, std::string_view text, std::string_view part);

std::string bytes_of(Engine engine, std::string_view text);

/// Which index to use, where the planner has to be told.
std::string use_index(Engine engine, std::string_view index);

/// How many events were ever appended, kept apart from them: shows those missing at the end.
const char* events_written(Engine engine);

/// Tables and indices of SQLite's as the engine declares them. Understands what schema.cpp and
/// figures_table.cpp use, no more.
std::string table_definition(Engine engine, std::string_view sqlite);

}  // namespace aisp::store
