// SPDX-License-Identifier: Apache-2.0
/// \file
/// The store's database on a PostgreSQL server, for several machines.
///
///   PostgresConnection connection("postgres://ann@db.lab/aisp", false, std::chrono::seconds(10));
///
/// Writers take turns by an advisory lock of the schema, held from before the head of the chain is read
/// until after the commit. A connection that broke is made anew when the next transaction begins; one that
/// breaks inside a transaction fails it. Must not be carried over fork().
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aisp/store/connection.h"
#include "aisp/store/postgres_library.h"

namespace aisp::store {

/// What a statement came to; cleared on destruction.
class PostgresAnswer {
 public:
  explicit PostgresAnswer(PgResult* result = nullptr) : result_(result) {}
  PgResult* get() const { return result_.get(); }

 private:
  struct Clear {
    void operator()(PgResult* result) const;
  };
  std::unique_ptr<PgResult, Clear> result_;
};

/// A value bound to a statement, as text.
struct PostgresValue {
  std::uint32_t type = kPgText;
  std::optional<std::string> text;  ///< nothing = NULL
};

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(std::string url, bool read_only, std::chrono::milliseconds busy_timeout);

  Engine engine() const override { return Engine::postgres; }
  const std::string& name() const override { return name_; }
  void execute(const char* sql) override;
  std::unique_ptr<Cursor> prepare(std::string_view sql, Rows rows) override;
  bool in_transaction() const override;
  void begin_write() override;
  void commit() override;
  void begin_snapshot() override;
  void roll_back() override { execute("ROLLBACK"); }
  void hold_run(const std::string& run) override;
  bool is_held(const std::string& run) override;

  /// For cursors. Throws Failure.
  PostgresAnswer ask(const std::string& sql, const std::vector<PostgresValue>& values);
  /// Names of cursors on the server.
  int next_number() { return ++number_; }

 private:
  struct Finish {
    void operator()(PgConnection* connection) const;
  };
  void connect();
  void prepare_session();
  /// Runs `sql` on a connection that works, made anew where it must be: nothing was begun on the old one.
  void begin(const std::string& sql);
  bool is_broken() const;
  /// Of this store: a database may hold several, in schemas of their own.
  std::string name_of_lock(const std::string& run) const;
  PostgresAnswer checked(PostgresAnswer answer);
  /// From the answer, or else from the connection.
  Failure failure(const PgResult* result) const;

  std::string url_;
  std::string name_;
  bool read_only_;
  std::chrono::milliseconds busy_timeout_;
  std::unique_ptr<PgConnection, Finish> handle_;
  std::string schema_;
  std::string held_run_;
  int number_ = 0;
};

}  // namespace aisp::store
