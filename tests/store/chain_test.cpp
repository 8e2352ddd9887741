// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/chain.h"

#include <gtest/gtest.h>

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/event.h"
#include "aisp/wire/json.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

/// Four runs: the tampered event lies before the tail that opening looks at.
class Chain : public EveryEngine {
 protected:
  void SetUp() override {
    EveryEngine::SetUp();
    if (IsSkipped()) return;
    directory_ = std::make_unique<Place>(GetParam());
    fill_store(directory_->file(), 4);
  }

  ChainReport check_after(const std::string& tampering) {
    if (!tampering.empty()) sql(directory_->file(), tampering, true);
    Result<Store> store = Store::open(directory_->file(), Access::read_only);
    EXPECT_TRUE(store) << store.error().message;
    Result<ChainReport> report = check_chain(*store);
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }

  std::unique_ptr<Place> directory_;
};

TEST_P(Chain, ASoundStoreHolds) {
  const ChainReport report = check_after("");
  EXPECT_FALSE(report.broken) << report.broken->what;
  EXPECT_EQ(report.events, 32);
  EXPECT_EQ(report.pruned, 0);
}

/// Events are ordered by the chain; dates are for people. Here the clock was years ahead for one event.
TEST_P(Chain, AClockThatWasSetBackIsCountedAndChangesNoOrder) {
  Store store = open_store(directory_->file());
  EXPECT_EQ(check_chain(store)->clock_steps, 0);
  Event ahead{.run = "ahead", .kind = std::string(kRunStarted), .created = "2999-01-01T00:00:00.000000Z"};
  ahead.payload = to_json(example_run("ahead")).dump();
  seal(ahead);
  {
    Transaction transaction(store.database());
    ASSERT_TRUE(append(store.database(), ahead));
    transaction.commit();
  }
  ASSERT_TRUE(store.cell_finished("ahead", example_cell(1)));
  ASSERT_TRUE(store.run_started(example_run("after")));
  ASSERT_TRUE(store.cell_finished("after", example_cell(1)));
  const ChainReport report = *check_chain(store);
  EXPECT_FALSE(report.broken);
  EXPECT_EQ(report.clock_steps, 1) << "flagged";
  const auto runs = store.list();
  ASSERT_TRUE(runs);
  EXPECT_EQ(runs->at(0).id, "after") << "the newest is what was stored last";
  EXPECT_EQ(runs->at(1).id, "ahead");
  EXPECT_EQ(store.load("latest")->id, "after");
}

TEST_P(Chain, AChangedPayloadIsFound) {
  const ChainReport report =
      check_after("UPDATE events SET payload = replace(payload, '1003', '1002') WHERE seq = 5");
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 5);
  EXPECT_EQ(report.broken->run, "r0");
  Store store = std::move(*Store::open(directory_->file(), Access::read_only));
  const Result<RunRecord> run = store.load("r0");
  ASSERT_FALSE(run) << "a changed result must not load";
  EXPECT_EQ(run.error().code, ErrorCode::store);
  EXPECT_TRUE(store.load("r1"));
}

TEST_P(Chain, EveryColumnIsProtected) {
  for (const char* column : {"id", "run", "kind", "workload", "parameters", "device", "hardware", "validity",
                             "created", "nonce", "payload_hash", "hash", "payload"}) {
    const Place other(GetParam());
    fill_store(other.file(), 2);
    sql(other.file(), std::string("UPDATE events SET ") + column + " = 'x' WHERE seq = 7", true);
    Store store = std::move(*Store::open(other.file(), Access::read_only));
    const ChainReport report = *check_chain(store);
    ASSERT_TRUE(report.broken) << column;
    EXPECT_EQ(report.broken->seq, 7) << column;
  }
}

TEST_P(Chain, ARemovedEventIsFound) {
  const ChainReport report = check_after("DELETE FROM events WHERE seq = 9");
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 10);
  EXPECT_NE(report.broken->what.find("event 9 is missing"), std::string::npos);
}

TEST_P(Chain, ARemovedEventHiddenByRenumberingIsFound) {
  const ChainReport report = check_after(
      std::string("DELETE FROM events WHERE seq = 9; UPDATE events SET seq = seq - 1 WHERE seq > 9;") +
      by_engine("UPDATE sqlite_sequence SET seq = seq - 1", "UPDATE aisp_store SET written = written - 1"));
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 9);
}

TEST_P(Chain, AMissingFirstEventIsFound) {
  ASSERT_TRUE(check_after("DELETE FROM events WHERE seq = 1").broken);
}

TEST_P(Chain, MissingLastEventsAreFound) {
  const ChainReport report = check_after("DELETE FROM events WHERE seq > 25");
  ASSERT_TRUE(report.broken);
  EXPECT_NE(report.broken->what.find("events after 25 are missing"), std::string::npos);
  // Opening sees it at once, and reading goes on.
  Result<Store> store = Store::open(directory_->file(), Access::read_only);
  ASSERT_EQ(store->warnings().size(), 1u);
  EXPECT_NE(store->warnings()[0].find("missing"), std::string::npos);
  EXPECT_TRUE(store->load("r0"));
}

TEST_P(Chain, ReorderedEventsAreFound) {
  const ChainReport report = check_after(
      "UPDATE events SET seq = -1 WHERE seq = 20; UPDATE events SET seq = 20 WHERE seq = 21;"
      "UPDATE events SET seq = 21 WHERE seq = -1");
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 20);
}

TEST_P(Chain, AnInsertedEventIsFound) {
  const ChainReport report = check_after(
      std::string(
          "UPDATE events SET seq = -seq - 1 WHERE seq >= 15; UPDATE events SET seq = -seq WHERE seq < 0;"
          "INSERT INTO events SELECT 15, 'new', run, kind, workload, parameters, device, hardware, validity, "
          "created, nonce,"
          " payload_hash, hash, payload FROM events WHERE seq = 14;") +
      by_engine("UPDATE sqlite_sequence SET seq = seq + 1", "UPDATE aisp_store SET written = written + 1"));
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 15);
}

TEST_P(Chain, GarbageOfOtherTypesIsFound) {
  if (!on_sqlite()) GTEST_SKIP() << "a server's columns hold text alone";
  const ChainReport report =
      check_after("UPDATE events SET payload = x'00ff', workload = 3.5 WHERE seq = 12");
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 12);
}

TEST_P(Chain, AnErasedPayloadThatNoPruningDeclaresIsFound) {
  const ChainReport report = check_after("UPDATE events SET payload = NULL WHERE seq = 12");
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 12);
  EXPECT_NE(report.broken->what.find("payload"), std::string::npos);
}

TEST_P(Chain, AMissingTriggerIsFound) {
  sql(directory_->file(),
      by_engine("DROP TRIGGER events_never_deleted", "DROP TRIGGER events_never_deleted ON events"));
  const ChainReport report = check_after("");
  ASSERT_TRUE(report.broken);
  EXPECT_NE(report.broken->what.find("trigger"), std::string::npos);
}

/// The triggers refuse what any program tries, this one's own statements included.
TEST_P(Chain, StoredEventsCannotBeChangedRemovedOrReplaced) {
  Store store = open_store(directory_->file());
  const std::string copied = "INTO events SELECT * FROM events WHERE seq = 9";
  for (const std::string& change : {std::string("UPDATE events SET validity = 'valid' WHERE seq = 9"),
                                    std::string("UPDATE events SET payload = NULL WHERE seq = 9"),
                                    std::string("UPDATE events SET payload = NULL, hash = 'x' WHERE seq = 9"),
                                    std::string("DELETE FROM events WHERE seq = 9"),
                                    by_engine("INSERT OR REPLACE " + copied, "INSERT " + copied)}) {
    EXPECT_FALSE(attempt([&] { store.database().execute(change.c_str()); })) << change;
  }
  const ChainReport report = *check_chain(store);
  EXPECT_FALSE(report.broken) << report.broken->what;
  EXPECT_EQ(report.events, 32);
  EXPECT_EQ(report.pruned, 0);
}

INSTANTIATE_TEST_SUITE_P(On, Chain, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
