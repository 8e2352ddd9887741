// SPDX-License-Identifier: Apache-2.0
// What a run's document says of the run as a whole.
#include <gtest/gtest.h>

#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

using aisp::store::test::cell_of;

TEST(RunOutcome, ARunSaysHowItEndedAndWhatElseRan) {
  Asking asking;
  const auto with_load = [](Level level, const char* because) {
    CellResult cell = cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}});
    cell.aa = RatioEstimate{.against = "naive", .ratio = 1, .low = 0.999, .high = 1.001};
    if (because != nullptr)
      cell.variants[0].findings.push_back({.guard = "load_low", .level = level, .because = because});
    return cell;
  };
  asking.keep("20261115-120000-cccc", {with_load(Level::note, "3.2 runnable tasks per core before the run")});
  asking.keep("20261115-130000-dddd", {with_load(Level::pass, "0.1 runnable tasks per core before the run")});
  asking.keep("20261115-140000-eeee", {with_load(Level::pass, nullptr)});
  {
    auto opened = aisp::store::Store::open(asking.store(), aisp::store::Access::read_write);
    ASSERT_TRUE(opened);
    ASSERT_TRUE(
        opened->run_finished("20261115-120000-cccc", "finished", "2026-11-15T12:00:00Z", {.exit_code = 9}));
  }
  const Json loud = asking.json("/api/v1/runs/20261115-12?evidence=false");
  EXPECT_EQ(loud["busy"], "3.2 runnable tasks per core before the run");
  EXPECT_EQ(loud["aa"], "A/A holds: 1.0000x [0.9990, 1.0010]");
  EXPECT_EQ(loud["exit_code"], 9);
  EXPECT_NE(loud["summary"].get<std::string>().find("policy standard"), std::string::npos);
  EXPECT_EQ(asking.json("/api/v1/runs/20261115-13")["busy"], "");
  EXPECT_TRUE(asking.json("/api/v1/runs/20261115-13")["exit_code"].is_null()) << "it was not recorded";
  EXPECT_TRUE(asking.json("/api/v1/runs/20261115-14")["busy"].is_null());
}

}  // namespace
}  // namespace aisp::server::test
