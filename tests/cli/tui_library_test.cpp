// SPDX-License-Identifier: Apache-2.0
// What `aisp tui` asks the store.
#include "aisp/cli/tui_library.h"

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/store/figures_fixture.h"

namespace aisp::cli {
namespace {

TEST(TuiLibrary, ResultsOfAWorkloadAreFoundBehindTheNewestOfAll) {
  const testing::Sandbox box;
  {
    auto store = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(store);
    RunRecord run;
    run.id = "r";
    ASSERT_TRUE(store->run_started(run));
    for (std::size_t i = 0; i < tui::kMostListed + 3; ++i) {
      CellResult cell;
      cell.workload = i < 3 ? "ch01/old" : "ch07/new";
      cell.parameters = "n=" + std::to_string(i);
      ASSERT_TRUE(store->cell_finished("r", cell));
    }
  }
  Arguments arguments;
  arguments.values["store"] = {box.store().string()};
  const auto library = tui_library(arguments);
  ASSERT_TRUE(library) << library.error().message;
  const auto newest = (*library)->results("");
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->size(), tui::kMostListed);
  for (const store::CellSummary& row : *newest) ASSERT_EQ(row.workload, "ch07/new");
  const auto old = (*library)->results("ch01/old");
  ASSERT_TRUE(old);
  ASSERT_EQ(old->size(), 3u);
  EXPECT_EQ(old->front().parameters, "n=2");
  EXPECT_TRUE((*library)->results("ch01/never")->empty());
}

}  // namespace
}  // namespace aisp::cli
