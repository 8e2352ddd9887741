// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_connection.h"

#include <algorithm>
#include <array>

#include "aisp/store/postgres_cursor.h"
#include "aisp/store/postgres_errors.h"
#include "aisp/store/postgres_url.h"
#include "aisp/wire/hash.h"

namespace aisp::store {
namespace {

/// "aisp": the advisory locks of this program, apart from those of others on the server.
constexpr std::uint32_t kLocks = 0x61697370;

std::uint32_t lock_number(const std::string& name) {
  return static_cast<std::uint32_t>(std::stoul(sha256_hex(name).substr(0, 8), nullptr, 16));
}

/// The two numbers of a lock. Two runs that share them only keep each other from being pruned meanwhile.
std::string lock_named(const std::string& name) {
  return std::to_string(kLocks) + ", " + std::to_string(static_cast<std::int32_t>(lock_number(name)));
}

}  // namespace

void PostgresAnswer::Clear::operator()(PgResult* result) const { postgres_library().clear(result); }
void PostgresConnection::Finish::operator()(PgConnection* connection) const {
  postgres_library().finish(connection);
}

PostgresConnection::PostgresConnection(std::string url, bool read_only,
                                       std::chrono::milliseconds busy_timeout)
    : url_(std::move(url)),
      name_(without_password(url_)),
      read_only_(read_only),
      busy_timeout_(busy_timeout) {
  connect();
  prepare_session();
}

void PostgresConnection::connect() {
  // A machine that vanished must not hold a run for hours. What the URL says comes later and counts.
  constexpr std::array kKeywords{"connect_timeout",  "keepalives_idle",  "keepalives_interval",
                                 "keepalives_count", "tcp_user_timeout", "fallback_application_name",
                                 "client_encoding",  "dbname",           static_cast<const char*>(nullptr)};
  const std::array values{
      "10", "10", "5", "3", "30000", "aisp", "UTF8", url_.c_str(), static_cast<const char*>(nullptr)};
  const PostgresLibrary& pq = postgres_library();
  handle_.reset(pq.connect(kKeywords.data(), values.data(), 1));
  if (!handle_) throw Failure{{ErrorCode::environment, "store " + name_ + ": out of memory", ""}};
  if (is_broken()) throw failure(nullptr);
  pq.set_notice_processor(handle_.get(), [](void*, const char*) {}, nullptr);
}

void PostgresConnection::prepare_session() {
  // A server may be told to acknowledge before it has written; "saved" means more here.
  execute(
      "SELECT set_config('synchronous_commit', 'on', false) "
      "WHERE current_setting('synchronous_commit') = 'off'");
  execute("SET standard_conforming_strings = on");
  // One schema: a table of the same name further down the path is somebody else's.
  const PostgresAnswer path =
      ask("SELECT set_config('search_path', quote_ident(current_schema()), false)", {});
  const PostgresLibrary& pq = postgres_library();
  if (pq.is_null(path.get(), 0, 0) != 0) {
    throw Failure{{ErrorCode::store, "store " + name_ + ": the search_path names no schema that exists",
                   "CREATE SCHEMA, or name another with ?options=-csearch_path%3DNAME"}};
  }
  schema_ = pq.value(path.get(), 0, 0);
  if (read_only_) execute("SET default_transaction_read_only = on");
  if (!held_run_.empty())
    execute(("SELECT pg_try_advisory_lock_shared(" + lock_named(name_of_lock(held_run_)) + ")").c_str());
}

std::string PostgresConnection::name_of_lock(const std::string& run) const {
  return "run " + run + " in " + schema_;
}

bool PostgresConnection::is_broken() const {
  return postgres_library().status(handle_.get()) != kPgConnectionOk;
}

bool PostgresConnection::in_transaction() const {
  const int status = postgres_library().transaction_status(handle_.get());
  return status == kPgInTransaction || status == kPgInError;
}

Failure PostgresConnection::failure(const PgResult* result) const {
  const PostgresLibrary& pq = postgres_library();
  const char* state = result != nullptr ? pq.result_error_field(result, kPgSqlState) : nullptr;
  const char* said = result != nullptr ? pq.result_error_field(result, kPgMessage) : nullptr;
  std::string detail = said != nullptr ? said : pq.error_message(handle_.get());
  for (const std::string& secret : secrets_in(url_)) {
    for (std::size_t at = detail.find(secret); at != std::string::npos; at = detail.find(secret, at + 3))
      detail.replace(at, secret.size(), "***");
  }
  // A broken connection is what matters, whatever was the last to be said on it.
  const bool answered = state != nullptr && !is_broken();
  return postgres_failure(answered ? state : "", without_passwords(detail), name_);
}

PostgresAnswer PostgresConnection::checked(PostgresAnswer answer) {
  const int status = answer.get() == nullptr ? -1 : postgres_library().result_status(answer.get());
  if (status != kPgCommandOk && status != kPgTuplesOk) throw failure(answer.get());
  return answer;
}

void PostgresConnection::execute(const char* sql) {
  (void)checked(PostgresAnswer(postgres_library().exec(handle_.get(), sql)));
}

PostgresAnswer PostgresConnection::ask(const std::string& sql, const std::vector<PostgresValue>& values) {
  std::vector<std::uint32_t> types;
  std::vector<const char*> texts;
  for (const PostgresValue& value : values) {
    types.push_back(value.type);
    texts.push_back(value.text ? value.text->c_str() : nullptr);
  }
  const auto run = [&] {
    return PostgresAnswer(postgres_library().exec_params(handle_.get(), sql.c_str(),
                                                         static_cast<int>(values.size()), types.data(),
                                                         texts.data(), nullptr, nullptr, 0));
  };
  const bool alone = !in_transaction();
  PostgresAnswer answer = run();
  // Outside of a transaction the store only asks: asking again changes nothing.
  if (alone && is_broken()) {
    connect();
    prepare_session();
    answer = run();
  }
  return checked(std::move(answer));
}

void PostgresConnection::begin(const std::string& sql) {
  try {
    execute(sql.c_str());
    return;
  } catch (const Failure&) {
    if (!is_broken()) {
      (void)attempt([&] { roll_back(); });
      throw;
    }
  }
  connect();
  prepare_session();
  execute(sql.c_str());
}

void PostgresConnection::begin_write() {
  // Every statement sees what was committed before it: the head is read after the lock was given.
  begin("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = " +
        std::to_string(std::max<std::int64_t>(1, busy_timeout_.count())) + "; SELECT pg_advisory_xact_lock(" +
        lock_named("writers of " + schema_) + ")");
}

void PostgresConnection::commit() {
  // A server answers the COMMIT of a transaction that failed with success, and rolls it back.
  if (!is_broken() && postgres_library().transaction_status(handle_.get()) == kPgInError) {
    throw Failure{
        {ErrorCode::store, "store " + name_ + ": the transaction failed", "run 'aisp store check'"}};
  }
  execute("COMMIT");
}

void PostgresConnection::begin_snapshot() { begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); }

std::unique_ptr<Cursor> PostgresConnection::prepare(std::string_view sql, Rows rows) {
  return std::make_unique<PostgresCursor>(*this, sql, rows);
}

void PostgresConnection::hold_run(const std::string& run) {
  if (held_run_ == run) return;
  held_run_ = run;
  // Shared: two who measure into one run know of each other by run_lock.h, and neither is pruned.
  (void)ask("SELECT pg_try_advisory_lock_shared(" + lock_named(name_of_lock(run)) + ")", {});
}

bool PostgresConnection::is_held(const std::string& run) {
  // Looked up and not tried: a lock that was taken for a moment, by every look at a list of runs, would keep
  // a run that begins just then from being held at all.
  const PostgresAnswer holders = ask(
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
      "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
      "AND classid::bigint = " +
          std::to_string(kLocks) + " AND objid::bigint = " + std::to_string(lock_number(name_of_lock(run))) +
          " AND pid <> pg_backend_pid()",
      {});
  return std::string_view(postgres_library().value(holders.get(), 0, 0)) != "0";
}

}  // namespace aisp::store
