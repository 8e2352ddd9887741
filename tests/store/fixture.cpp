// SPDX-License-Identifier: Apache-2.0
#include "tests/store/fixture.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/check.h"
#include "aisp/store/database.h"
#include "aisp/store/postgres_connection.h"
#include "aisp/store/postgres_url.h"
#include "aisp/wire/json.h"

namespace aisp::store::test {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  // In memory where possible: the tests commit thousands of times, and kill -9 does not lose what a disk has
  // cached.
  const bool memory = ::access("/dev/shm", W_OK) == 0;
  std::string name =
      ((memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "aisp-store-test-XXXXXX").string();
  AISP_CHECK(::mkdtemp(name.data()) != nullptr, "the tests need a temporary directory");
  ::chmod(name.c_str(), 0755);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryDirectory::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

RunRecord example_run(const std::string& id, const std::string& hardware) {
  RunRecord run;
  run.id = id;
  run.started = "2026-04-01T10:00:00Z";
  run.status = "running";
  run.manifest.command = "aisp run 'ch07/*' \"quoted\" --param n=1";
  run.manifest.hardware = hardware;
  run.manifest.facts = {{"kernel", "6.1"}, {"governor", std::nullopt}};
  return run;
}

CellResult example_cell(int number, int samples) {
  CellResult cell;
  cell.workload = number % 2 == 0 ? "ch07/transpose" : "ch09/softmax";
  cell.parameters = "n=" + std::to_string(number);
  cell.finished = "2026-04-01T10:00:01Z";
  cell.stopped = "precise";
  cell.validity = number % 3 == 0 ? Validity::invalid : Validity::valid;
  VariantResult variant;
  variant.name = "tiled";
  for (int i = 0; i < samples; ++i) {
    variant.samples.attempt.push_back(i % 3);
    variant.samples.round.push_back(i);
    variant.samples.pass.push_back(i % 2);
    variant.samples.calls.push_back(1 + number);
    variant.samples.ns.push_back(1000.0 + number + i / 7.0);
  }
  cell.variants.push_back(variant);
  return cell;
}

std::string text_of(const RunRecord& run) { return to_json(run).dump(); }
std::string text_of(const CellResult& cell) { return to_json(cell).dump(); }

Store open_store(const fs::path& file, const OpenOptions& options) {
  Result<Store> store = Store::open(file, Access::read_write, options);
  if (!store) {
    std::fprintf(stderr, "open_store: %s\n", store.error().message.c_str());
    std::abort();
  }
  return std::move(*store);
}

std::vector<std::string> fill_store(const fs::path& file, int runs, int samples) {
  Store store = open_store(file);
  std::vector<std::string> texts;
  for (int r = 0; r < runs; ++r) {
    RunRecord run = example_run("r" + std::to_string(r));
    bool stored = bool(store.run_started(run));
    for (int c = 0; c < 3; ++c) {
      const CellResult cell = example_cell(10 * r + c, samples);
      stored = stored && store.cell_started(run.id, cell.workload, cell.parameters);
      stored = stored && store.cell_finished(run.id, cell);
      run.cells.push_back(cell);
    }
    stored = stored && store.run_finished(run.id, "finished", "2026-04-01T11:00:00Z");
    AISP_CHECK(stored, "a sound store takes events");
    run.status = "finished";
    run.finished = "2026-04-01T11:00:00Z";
    texts.push_back(text_of(run));
  }
  return texts;
}

namespace {

void execute(sqlite3* database, const std::string& statements) {
  char* message = nullptr;
  if (sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &message) != SQLITE_OK) {
    std::fprintf(stderr, "sql: %s in %s\n", message, statements.c_str());
    std::abort();
  }
}

/// On a server; ends the program on an error.
template <class Work>
void on_server(const fs::path& url, const std::string& statements, Work work) {
  const Status done = attempt([&] {
    work(Database(std::make_unique<PostgresConnection>(url.string(), false, std::chrono::seconds(10))));
  });
  if (done) return;
  std::fprintf(stderr, "sql: %s in %s\n", done.error().message.c_str(), statements.c_str());
  std::abort();
}

}  // namespace

void sql(const fs::path& file, const std::string& statements, bool tamper) {
  if (is_postgres_url(file.string())) {
    return on_server(file, statements, [&](const Database& database) {
      if (tamper) database.execute("ALTER TABLE events DISABLE TRIGGER USER");
      database.execute(statements.c_str());
      if (tamper) database.execute("ALTER TABLE events ENABLE TRIGGER USER");
    });
  }
  sqlite3* database = nullptr;
  AISP_CHECK(sqlite3_open(file.c_str(), &database) == SQLITE_OK, "the file opens");
  std::string restore;
  if (tamper) {
    for (const char* name : {"events_only_appended", "events_never_deleted", "events_never_changed"}) {
      restore +=
          sql_text(file, std::string("SELECT sql FROM sqlite_schema WHERE name = '") + name + "'") + ";";
      execute(database, std::string("DROP TRIGGER ") + name);
    }
  }
  execute(database, statements);
  execute(database, restore);
  sqlite3_close(database);
}

std::string sql_text(const fs::path& file, const std::string& query) {
  if (is_postgres_url(file.string())) {
    std::string answer;
    on_server(file, query, [&](const Database& database) { answer = database.word(query); });
    return answer;
  }
  sqlite3* database = nullptr;
  AISP_CHECK(sqlite3_open(file.c_str(), &database) == SQLITE_OK, "the file opens");
  sqlite3_stmt* statement = nullptr;
  std::string text;
  if (sqlite3_prepare_v2(database, query.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    text = value == nullptr ? "" : value;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return text;
}

int in_child(const std::function<int()>& work) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  AISP_CHECK(child >= 0, "fork works");
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (...) {
      std::fprintf(stderr, "the child threw\n");
    }
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

int in_unprivileged_child(const std::function<int()>& work) {
  return in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 &&
        (::setresgid(kNobody, kNobody, kNobody) != 0 || ::setresuid(kNobody, kNobody, kNobody) != 0)) {
      return 98;
    }
    return work();
  });
}

bool returned(int status, int code) { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
bool killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace aisp::store::test
