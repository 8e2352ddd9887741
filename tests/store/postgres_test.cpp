// SPDX-License-Identifier: Apache-2.0
// What only a server can do to a store: be away, ask for a password, hold tables of others, serve several
// machines.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "aisp/store/chain.h"
#include "aisp/store/merge.h"
#include "aisp/store/place.h"
#include "aisp/store/postgres_connection.h"
#include "aisp/store/prune.h"
#include "tests/needed_package.h"
#include "tests/store/fixture.h"
#include "tests/store/postgres_server.h"

namespace aisp::store::test {
namespace {

class Postgres : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_PACKAGE(PostgresServer::missing());
    server_ = PostgresServer::shared();
  }
  OpenOptions options() const { return {.fallback = directory_.path()}; }

  PostgresServer* server_ = nullptr;
  TemporaryDirectory directory_;  ///< for journals
};

/// Ends every connection of others to the server.
constexpr const char* kEndOthers =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";

TEST_F(Postgres, ThereIsAStoreOnceItWasOpenedForWriting) {
  const std::string url = server_->new_store();
  EXPECT_FALSE(*is_there(url));
  const Result<Store> none = Store::open(url, Access::read_only);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::store);
  open_store(url);
  EXPECT_TRUE(*is_there(url));
  EXPECT_TRUE(Store::open(url, Access::read_only));
}

TEST_F(Postgres, PasswordsAreAskedForAndNeverShown) {
  server_->sql(
      "CREATE ROLE guarded LOGIN PASSWORD 'open,sesame'; CREATE SCHEMA guarded AUTHORIZATION guarded");
  const Store store = open_store(server_->url("guarded:open%2Csesame"));
  EXPECT_EQ(store.file().string(), server_->url("guarded"));
  for (const std::string user : {"guarded:open%2Cbarley", "guarded"}) {
    const Result<Store> refused = Store::open(server_->url(user), Access::read_write);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::io);
    const std::string said = refused.error().message + refused.error().hint;
    EXPECT_NE(said.find("guarded"), std::string::npos) << said;
    EXPECT_EQ(said.find("barley"), std::string::npos) << said;
  }
  const Result<Store> malformed = Store::open("postgres://guarded:bar/ley@[/x", Access::read_write);
  ASSERT_FALSE(malformed);
  EXPECT_EQ(malformed.error().message.find("ley"), std::string::npos) << malformed.error().message;
}

TEST_F(Postgres, AConnectionThatBrokeIsMadeAnew) {
  const std::string url = server_->new_store();
  Store store = open_store(url);
  ASSERT_TRUE(store.run_started(example_run("r")));
  Store reader = std::move(*Store::open(url, Access::read_only));
  server_->sql(kEndOthers);
  const Status stored = store.cell_finished("r", example_cell(1));
  EXPECT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(reader.load("r")->cells.size(), 1u);
  EXPECT_FALSE(reader.run_started(example_run("w"))) << "it still only reads";
  EXPECT_FALSE(check_chain(store)->broken);
}

TEST_F(Postgres, AConnectionThatBreaksInTheMiddleLosesNothing) {
  const std::string url = server_->new_store();
  Store store = open_store(url, options());
  ASSERT_TRUE(store.run_started(example_run("r")));
  {
    // Keeps the insert waiting, inside its transaction, until its connection is ended.
    PostgresConnection rival(url, false, std::chrono::seconds(1));
    rival.execute("BEGIN; LOCK TABLE events IN EXCLUSIVE MODE");
    std::jthread axe([&](const std::stop_token& enough) {
      while (!enough.stop_requested()) {
        server_->sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO events%'");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    const Status stored = store.cell_finished("r", example_cell(1));
    ASSERT_FALSE(stored);
    EXPECT_EQ(stored.error().code, ErrorCode::io);
    EXPECT_NE(stored.error().hint.find("is kept in"), std::string::npos) << stored.error().hint;
  }
  EXPECT_TRUE(store.cell_finished("r", example_cell(2))) << "the next one has a connection again";
  Store again = open_store(url, options());
  ASSERT_EQ(again.warnings().size(), 1u);
  EXPECT_NE(again.warnings()[0].find("1 results imported"), std::string::npos) << again.warnings()[0];
  EXPECT_EQ(again.load("r")->cells.size(), 2u);
  EXPECT_FALSE(check_chain(again)->broken);
}

TEST_F(Postgres, AServerThatIsAwayLosesNothing) {
  const std::string url = server_->new_store();
  {
    Store store = open_store(url, options());
    ASSERT_TRUE(store.run_started(example_run("r")));
    server_->stop();
    const Status stored = store.cell_finished("r", example_cell(1));
    const Result<Store> away = Store::open(url, Access::read_write);
    const Result<bool> there = is_there(url);
    server_->start();
    ASSERT_FALSE(stored);
    EXPECT_NE(stored.error().hint.find(directory_.path().string()), std::string::npos) << stored.error().hint;
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, ErrorCode::io);
    EXPECT_FALSE(there) << "no answer is not no store";
    ASSERT_TRUE(store.cell_finished("r", example_cell(2)));
  }
  EXPECT_EQ(Store::open(url, Access::read_only, options())->warnings().size(), 1u) << "a result waits";
  Store store = open_store(url, options());
  EXPECT_EQ(store.load("r")->cells.size(), 2u);
  EXPECT_TRUE(directory_.names().empty());
  EXPECT_FALSE(check_chain(store)->broken);
}

TEST_F(Postgres, TablesOfOthersAreLeftAlone) {
  const std::string url = server_->new_store();
  sql(url, "CREATE TABLE events (happened TEXT); INSERT INTO events VALUES ('a')");
  const Result<Store> store = Store::open(url, Access::read_write);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("another program"), std::string::npos) << store.error().message;
  EXPECT_EQ(sql_text(url, "SELECT count(*) FROM events"), "1");
}

TEST_F(Postgres, AnEncodingThatLosesTextIsRefused) {
  server_->sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  std::string url = server_->url();
  url.replace(url.find("/postgres?"), 10, "/latin?");
  const Result<Store> store = Store::open(url, Access::read_write);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("LATIN1"), std::string::npos) << store.error().message;
}

TEST_F(Postgres, ReadersNeedNoRightToWrite) {
  const std::string url = server_->new_store();
  const auto texts = fill_store(url, 1);
  const std::string schema = sql_text(url, "SELECT current_schema()");
  server_->sql("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA " + schema + " TO reader; " +
               "GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO reader");
  std::string theirs = url;
  theirs.replace(theirs.find("aisp@"), 5, "reader@");
  Result<Store> store = Store::open(theirs, Access::read_only);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_EQ(text_of(*store->load("r0")), texts[0]);
  EXPECT_FALSE(check_chain(*store)->broken);
  const Result<Store> writer = Store::open(theirs, Access::read_write);
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::io) << writer.error().message;
}

TEST_F(Postgres, RunsTravelBothWays) {
  const TemporaryDirectory first, second;
  const auto texts = fill_store(first.file(), 2);
  const std::string url = server_->new_store();
  {
    Store from = open_store(first.file()), into = open_store(url);
    const Result<MergeReport> merged = merge(into, from);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_EQ(merged->runs, (std::vector<std::string>{"r0", "r1"}));
    EXPECT_EQ(merge(into, from)->events, 0);
  }
  Store from = std::move(*Store::open(url, Access::read_only)), into = open_store(second.file());
  const Result<MergeReport> merged = merge(into, from);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(text_of(*into.load("r1")), texts[1]);
  EXPECT_EQ(check_chain(into)->head, check_chain(from)->head) << "the same events in the same order";
}

TEST_F(Postgres, WhatAnotherMachineMeasuresIsNotPruned) {
  const std::string url = server_->new_store();
  Store here = open_store(url);
  ASSERT_TRUE(here.run_started(example_run("ended")));
  {
    Store there = open_store(url);
    ASSERT_TRUE(there.run_started(example_run("measured")));
    EXPECT_EQ(prune(here, {.keep_newest = 0})->runs, std::vector<std::string>{"ended"});
  }
  // The server notices the end of a connection a moment later.
  std::vector<std::string> pruned;
  for (int tries = 0; tries < 600 && pruned.empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    pruned = prune(here, {.keep_newest = 0})->runs;
  }
  EXPECT_EQ(pruned, std::vector<std::string>{"measured"});
}

TEST_F(Postgres, AnAlteredTriggerIsFound) {
  const std::string url = server_->new_store();
  fill_store(url, 1);
  sql(url,
      "CREATE OR REPLACE FUNCTION events_never_deleted() RETURNS trigger LANGUAGE plpgsql AS "
      "$$ BEGIN RETURN OLD; END $$");
  Result<Store> reader = Store::open(url, Access::read_only);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_NE(check_chain(*reader)->broken->what.find("events_never_deleted"), std::string::npos);
  EXPECT_FALSE(Store::open(url, Access::read_write)) << "nothing is written to it";
  sql(url, "ALTER TABLE events DISABLE TRIGGER events_only_appended");
  EXPECT_TRUE(check_chain(*reader)->broken);
}

/// More rows than come in one part, and a reset in the middle.
TEST_F(Postgres, LongAnswersComeInParts) {
  PostgresConnection connection(server_->url(), true, std::chrono::seconds(1));
  connection.begin_snapshot();
  const auto rows = connection.prepare("SELECT n FROM generate_series(1, ?1) AS n", Rows::many);
  rows->bind(1, std::int64_t{1000});
  for (const int count : {70, 1000}) {
    rows->reset();
    int seen = 0;
    while (seen < count && rows->step()) EXPECT_EQ(rows->integer(0), ++seen);
    EXPECT_EQ(seen, count);
  }
  EXPECT_FALSE(rows->step());
  EXPECT_FALSE(rows->step()) << "the end stays the end";
}

}  // namespace
}  // namespace aisp::store::test
