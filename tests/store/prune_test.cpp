// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/prune.h"

#include <gtest/gtest.h>

#include "aisp/store/chain.h"
#include "aisp/store/run_lock.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Prunes : public EveryEngine {};

TEST_P(Prunes, LeavesWhatIsBeingMeasured) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  const std::string measured = "measured-" + directory.path().filename().string();  // locks know no folder
  for (const std::string& id : {measured, std::string("ended")})
    ASSERT_TRUE(store.run_started(example_run(id)));
  {
    const auto lock = RunLock::take(measured);
    ASSERT_TRUE(lock);
    EXPECT_FALSE(RunLock::take(measured)) << "one at a time";
    EXPECT_EQ(prune(store, {.keep_newest = 0})->runs, std::vector<std::string>{"ended"});
    EXPECT_TRUE(store.cell_finished(measured, example_cell(1)));
    EXPECT_EQ(store.load(measured)->cells.size(), 1u) << "what is stored after a prune can be read";
  }
  EXPECT_EQ(prune(store, {.keep_newest = 0})->runs, std::vector<std::string>{measured}) << "it has ended";
}

TEST(Prune, AsksAboutLocksWithoutTakingThem) {
  EXPECT_FALSE(is_running("nobody-measures-this"));
  EXPECT_TRUE(RunLock::take("nobody-measures-this"));
  EXPECT_FALSE(is_running("nobody-measures-this")) << "given back";
}

TEST_P(Prunes, KeepsTheNewestAndTheChain) {
  const Place directory(GetParam());
  const auto texts = fill_store(directory.file(), 6, 2000);
  const auto before = on_sqlite() ? std::filesystem::file_size(directory.file()) : 0;
  {
    Store store = open_store(directory.file());
    const Result<PruneReport> dry = prune(store, {.keep_newest = 2, .dry_run = true});
    ASSERT_TRUE(dry) << dry.error().message;
    EXPECT_EQ(dry->runs, (std::vector<std::string>{"r3", "r2", "r1", "r0"}));
    EXPECT_TRUE(store.load("r0"));
    const Result<PruneReport> report = prune(store, {.keep_newest = 2});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->runs, dry->runs);
    EXPECT_EQ(report->events, 4 * 8);
    EXPECT_EQ(report->bytes, dry->bytes);
    EXPECT_GT(report->bytes, 100000);

    const ChainReport chain = *check_chain(store);
    EXPECT_FALSE(chain.broken) << chain.broken->what;
    EXPECT_EQ(chain.pruned, 4 * 8);
    EXPECT_EQ(chain.events, 6 * 8 + 4);
    const Result<RunRecord> gone = store.load("r0");
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().message.find("pruned"), std::string::npos);
    EXPECT_EQ(text_of(*store.load("r5")), texts[5]);
    EXPECT_EQ(store.list()->size(), 2u);
    EXPECT_EQ(store.cells()->size(), 6u);
    EXPECT_EQ(store.load("latest")->id, "r5");
    EXPECT_TRUE(prune(store, {.keep_newest = 2})->runs.empty());
    // The store goes on.
    EXPECT_TRUE(store.run_started(example_run("after")));
  }
  if (on_sqlite()) {
    EXPECT_LT(std::filesystem::file_size(directory.file()), before / 2);
  }
  Store store = open_store(directory.file());
  EXPECT_FALSE(check_chain(store)->broken);
}

TEST_P(Prunes, ByDateAndBoth) {
  const Place directory(GetParam());
  fill_store(directory.file(), 3);
  Store store = open_store(directory.file());
  EXPECT_TRUE(prune(store, {.older_than = "2000-01-01"})->runs.empty());
  EXPECT_TRUE(prune(store, {.keep_newest = 3, .older_than = "2999-01-01"})->runs.empty());
  EXPECT_EQ(prune(store, {.keep_newest = 1, .older_than = "2999-01-01"})->runs.size(), 2u);
  EXPECT_EQ(prune(store, {.older_than = "2999-01-01"})->runs.size(), 1u);
  EXPECT_FALSE(check_chain(store)->broken);
}

TEST_P(Prunes, RefusesNonsense) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  EXPECT_EQ(prune(store, {}).error().code, ErrorCode::usage);
  EXPECT_EQ(prune(store, {.older_than = "yesterday"}).error().code, ErrorCode::usage);
  EXPECT_EQ(prune(store, {.older_than = ""}).error().code, ErrorCode::usage);
  for (const char* day : {"2026-99-99", "2026-02-30", "2026-00-01", "2026-01-31x"})
    EXPECT_FALSE(prune(store, {.older_than = day, .dry_run = true})) << day;
  EXPECT_TRUE(prune(store, {.older_than = "2024-02-29", .dry_run = true}));
}

TEST_P(Prunes, APrunedStoreIsStillProtected) {
  const Place directory(GetParam());
  fill_store(directory.file(), 12);
  {
    Store store = open_store(directory.file());
    ASSERT_TRUE(prune(store, {.keep_newest = 10}));
  }
  sql(directory.file(), "UPDATE events SET validity = 'valid' WHERE seq = 3", true);
  Store store = std::move(*Store::open(directory.file(), Access::read_only));
  const ChainReport report = *check_chain(store);
  ASSERT_TRUE(report.broken);
  EXPECT_EQ(report.broken->seq, 3);
}

INSTANTIATE_TEST_SUITE_P(On, Prunes, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
