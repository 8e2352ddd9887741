// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/migrate.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/append.h"
#include "aisp/store/chain.h"
#include "aisp/store/postgres_url.h"
#include "aisp/store/prune.h"
#include "aisp/store/schema.h"
#include "tests/store/every_engine.h"
#include "tests/store/fault_vfs.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Migrations : public EveryEngine {};

bool on_server(const std::filesystem::path& store) { return is_postgres_url(store.string()); }

std::string set_version(const std::filesystem::path& store, int version) {
  return (on_server(store) ? "UPDATE aisp_store SET version = " : "PRAGMA user_version = ") +
         std::to_string(version);
}

std::string version_of(const std::filesystem::path& store) {
  return sql_text(store, on_server(store) ? "SELECT version FROM aisp_store" : "PRAGMA user_version");
}

/// A store as version 1 of the schema left it: the same events, without the indices of version 2.
void make_version_1(const std::filesystem::path& file) {
  fill_store(file, 2);
  sql(file,
      std::string(
          "DROP INDEX cells_by_workload; DROP INDEX cells_by_hardware; DROP INDEX ceilings_by_hardware;") +
          set_version(file, 1));
  if (!on_server(file)) sql(file, "VACUUM");
}

std::string schema_of(const std::filesystem::path& file) {
  if (on_server(file)) {
    return sql_text(file,
                    "SELECT string_agg(indexname || ' ' || substr(indexdef, strpos(indexdef, 'USING')), ';' "
                    "ORDER BY indexname) FROM pg_indexes WHERE schemaname = current_schema()");
  }
  return sql_text(file, "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)");
}

TEST_P(Migrations, AnOlderStoreBecomesThisOne) {
  const Place old(GetParam());
  const Place fresh(GetParam());
  make_version_1(old.file());
  const auto texts = fill_store(fresh.file(), 2);
  ASSERT_NE(schema_of(old.file()), schema_of(fresh.file()));
  {
    Store store = open_store(old.file());
    EXPECT_EQ(text_of(*store.load("r1")), texts[1]);
    EXPECT_FALSE(check_chain(store)->broken);
    EXPECT_TRUE(store.run_started(example_run("new")));
  }
  EXPECT_EQ(version_of(old.file()), std::to_string(kSchemaVersion));
  EXPECT_EQ(schema_of(old.file()), schema_of(fresh.file()));
}

TEST_P(Migrations, AnOlderStoreReadsWithoutMigration) {
  const Place directory(GetParam());
  make_version_1(directory.file());
  Result<Store> store = Store::open(directory.file(), Access::read_only);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE(store->load("r1"));
  EXPECT_EQ(store->list()->size(), 2u);
  EXPECT_EQ(store->cells({.workload = "ch09/softmax"})->size(), 2u);
  EXPECT_EQ(version_of(directory.file()), "1");
}

TEST(Migrate, KilledAnywhereLeavesTheOldOrTheNewVersion) {
  const TemporaryDirectory base;
  make_version_1(base.file());
  const std::string before = schema_of(base.file());
  int deaths = 0;
  bool old_seen = false;
  bool new_seen = false;
  for (const Fault fault : {Fault::kill, Fault::torn}) {
    for (int n = 1;; ++n) {
      const TemporaryDirectory directory;
      std::filesystem::copy_file(base.file(), directory.file());
      const int status = in_child([&] {
        FaultVfs faults;
        faults.arm(fault, n);
        const Database database(directory.file(), OpenMode::read_write, std::chrono::seconds(1));
        migrate(database);
        return 0;
      });
      if (returned(status, 0)) break;
      ASSERT_TRUE(killed(status)) << n;
      ++deaths;
      const std::string version = sql_text(directory.file(), "PRAGMA user_version");
      const bool is_old = version == "1" && schema_of(directory.file()) == before;
      const bool is_new = version == "2" && schema_of(directory.file()) != before;
      EXPECT_TRUE(is_old || is_new) << n;
      old_seen |= is_old;
      new_seen |= is_new;
      Store store = open_store(directory.file());
      EXPECT_TRUE(store.load("r1")) << n;
      EXPECT_FALSE(check_chain(store)->broken) << n;
    }
  }
  EXPECT_GT(deaths, 8);
  EXPECT_TRUE(old_seen);
  EXPECT_TRUE(new_seen) << "deaths while the log is copied back come after the commit";
}

TEST_P(Migrations, TwoProcessesAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const Place directory(GetParam());
    make_version_1(directory.file());
    const int status = in_child([&] {
      const pid_t other = ::fork();
      Store store = open_store(directory.file());
      const bool stored = bool(store.run_started(example_run(other == 0 ? "a" : "b")));
      if (other == 0) ::_exit(stored ? 0 : 1);
      int code = 0;
      ::waitpid(other, &code, 0);
      return stored && returned(code, 0) ? 0 : 1;
    });
    ASSERT_TRUE(returned(status, 0));
    Store store = open_store(directory.file());
    EXPECT_TRUE(store.load("a"));
    EXPECT_TRUE(store.load("b"));
    EXPECT_FALSE(check_chain(store)->broken);
  }
}

TEST_P(Migrations, ANewerStoreIsReadAndNotWritten) {
  const Place directory(GetParam());
  const auto texts = fill_store(directory.file(), 1);
  sql(directory.file(), "ALTER TABLE events ADD COLUMN mood TEXT; " + set_version(directory.file(), 99));
  const std::string bytes = on_sqlite() ? read_file(directory.file()) : "";
  const Result<Store> writer = Store::open(directory.file(), Access::read_write);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::store);
  EXPECT_NE(writer.error().message.find("newer"), std::string::npos);
  {
    Result<Store> reader = Store::open(directory.file(), Access::read_only);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(text_of(*reader->load("r0")), texts[0]);
  }
  EXPECT_EQ(version_of(directory.file()), "99");
  if (!on_sqlite()) return;
  EXPECT_EQ(read_file(directory.file()), bytes);
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"results.db"}));
}

TEST_P(Migrations, AStoreMigratedByANewerProgramUnderOurHandsIsLeftAlone) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  Store store = open_store(directory.file(), directory.options());
  const int status = in_child([&] {
    sql(directory.file(), set_version(directory.file(), 99));
    return 0;
  });
  ASSERT_TRUE(returned(status, 0));
  const Status stored = store.cell_finished("r0", example_cell(7));
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code, ErrorCode::store);
  EXPECT_NE(stored.error().hint.find("pending"), std::string::npos) << stored.error().hint;
}

TEST_P(Migrations, AStoreMigratedByANewerProgramUnderOurHandsIsNotPruned) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  Store store = open_store(directory.file());
  const int status = in_child([&] {
    sql(directory.file(), set_version(directory.file(), 99));
    return 0;
  });
  ASSERT_TRUE(returned(status, 0));
  const Result<PruneReport> pruned = prune(store, {.keep_newest = 0});
  ASSERT_FALSE(pruned);
  EXPECT_NE(pruned.error().message.find("newer"), std::string::npos) << pruned.error().message;
  EXPECT_TRUE(store.load("r0"));
}

INSTANTIATE_TEST_SUITE_P(On, Migrations, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
