// SPDX-License-Identifier: Apache-2.0
// What is read of a run where not all of it is asked for.
#include <gtest/gtest.h>

#include "aisp/store/store.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class PortionOfARun : public EveryEngine {};

TEST_P(PortionOfARun, HasAsMuchAsIsAskedFor) {
  const Place directory(GetParam());
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.run_started(example_run("r")));
  for (int c = 0; c < 3; ++c) {
    CellResult cell = example_cell(c);
    cell.variants[0].evidence.threads = 3;
    cell.variants[0].speedup = RatioEstimate{.ratio = 1.5, .rounds = 7};
    cell.rounds = {{.round = 1}};
    cell.aa_samples = cell.variants[0].samples;
    ASSERT_TRUE(store.cell_started("r", cell.workload, cell.parameters));
    ASSERT_TRUE(store.cell_finished("r", cell));
  }
  const RunRecord all = *store.load("r");
  RunRecord wanted = all;
  for (CellResult& cell : wanted.cells) {
    cell.rounds.clear();
    cell.aa_samples = {};
    cell.variants[0].samples = {};
  }
  EXPECT_EQ(text_of(*store.load("r", {.samples = false})), text_of(wanted));
  for (CellResult& cell : wanted.cells) cell.variants[0].evidence = {};
  EXPECT_EQ(text_of(*store.load("r", {.samples = false, .evidence = false})), text_of(wanted));
  EXPECT_EQ(wanted.cells[0].variants[0].speedup->rounds, 7);

  const auto cells = store.cells({.limit = 1, .workload = wanted.cells[0].workload});
  ASSERT_TRUE(cells);
  const CellResult whole = *store.load_cell(cells->front().seq),
                   bare = *store.load_cell(cells->front().seq, {.evidence = false});
  EXPECT_EQ(whole.variants[0].evidence.threads, 3);
  EXPECT_NE(bare.variants[0].evidence.threads, 3);
  EXPECT_EQ(bare.variants[0].samples.ns, whole.variants[0].samples.ns);

  RunRecord one = all;
  std::erase_if(one.cells, [](const CellResult& cell) { return cell.workload != "ch07/transpose"; });
  ASSERT_EQ(one.cells.size(), 2u);
  EXPECT_EQ(text_of(*store.load("r", {.workload = "ch07/transpose"})), text_of(one));
  EXPECT_TRUE(store.load("r", {.workload = "ch01/none"})->cells.empty());
}

TEST_P(PortionOfARun, IsCheckedAllTheSame) {
  const Place directory(GetParam());
  fill_store(directory.file(), 1);
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.load("r0", {.samples = false}));
  sql(directory.file(),
      "UPDATE events SET payload = replace(payload, '\"calls\"', '\"calls \"') WHERE kind = 'cell_finished'",
      true);
  const Result<RunRecord> run = store.load("r0", {.samples = false, .evidence = false});
  ASSERT_FALSE(run) << "what was changed is not among what is read";
  EXPECT_NE(run.error().message.find("does not match its hash"), std::string::npos) << run.error().message;
}

INSTANTIATE_TEST_SUITE_P(On, PortionOfARun, kEveryEngine, engine_name);
}  // namespace
}  // namespace aisp::store::test
