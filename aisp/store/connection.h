// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a database engine must do for the store: run SQL with values bound to it, hand out rows, keep one
/// writer at a time. Two engines do: sqlite_connection.h and postgres_connection.h.
///
/// SQL is written once, with values as ?1, ?2, ...; what the engines spell differently is in dialect.h.
/// Failures are thrown (failure.h). Users of it see Database and Statement (database.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "aisp/store/failure.h"

namespace aisp::store {

enum class Engine { sqlite, postgres };

/// How much of an answer is held in memory at once.
enum class Rows {
  few,   ///< it may be all of them
  many,  ///< a bounded part, inside a transaction or a snapshot of the caller
};

/// One statement and the row it stands on.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual void bind(int index, std::string_view text) = 0;
  virtual void bind(int index, std::int64_t number) = 0;
  virtual void bind_real(int index, double number) = 0;
  virtual void bind_null(int index) = 0;
  virtual bool step() = 0;
  virtual void reset() = 0;  ///< what is bound stays

  virtual std::string_view text(int column) const = 0;  ///< until the next step
  virtual std::int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
  virtual bool is_null(int column) const = 0;
  virtual bool is_text(int column) const = 0;
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual Engine engine() const = 0;
  virtual const std::string& name() const = 0;  ///< for messages: a path, or a URL without its password
  virtual void execute(const char* sql) = 0;    ///< one statement or several
  virtual std::unique_ptr<Cursor> prepare(std::string_view sql, Rows rows) = 0;
  virtual bool in_transaction() const = 0;

  /// A transaction that no other writer enters meanwhile, and that sees all that the last one left.
  virtual void begin_write() = 0;
  virtual void commit() = 0;
  /// A transaction whose questions are all answered as of one moment.
  virtual void begin_snapshot() = 0;
  /// The end of a snapshot, or of a write that is given up.
  virtual void roll_back() = 0;

  /// Whoever shares the store sees that this process measures the run, for as long as it is connected.
  /// Nothing where run_lock.h is enough.
  virtual void hold_run(const std::string&) {}
  virtual bool is_held(const std::string&) { return false; }
};

}  // namespace aisp::store
