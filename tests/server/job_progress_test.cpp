// SPDX-License-Identifier: Apache-2.0
// What of a run's progress is told, how often, and what who comes later is told.
#include "aisp/cli/job_progress.h"

#include <gtest/gtest.h>

#include "aisp/report/progress_event.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

using std::chrono::milliseconds;
using Names = std::vector<std::string>;

std::string named(const server::Event& event) {
  const Json json = Json::parse(event.data, nullptr, false);
  return json.value("event", "?") + " " + std::to_string(json.value("cell", -1)) + "/" +
         std::to_string(json.value("rounds", -1));
}

class ProgressOfAJob : public ::testing::Test {
 protected:
  bool take(const std::string& event, int cell, int rounds, int after_ms = 0) {
    now += milliseconds(after_ms);
    std::string line = report::progress_line({.event = event, .cell = cell, .rounds = rounds});
    line.pop_back();
    return progress.take(line, now);
  }
  Names so_far() const {
    Names names;
    for (const server::Event& event : progress.so_far()) names.push_back(named(event));
    return names;
  }

  Names told;
  JobProgress progress{[this](const server::Event& event) {
    EXPECT_EQ(event.kind, "progress");
    EXPECT_EQ(event.id, 0);
    told.push_back(named(event));
  }};
  JobProgress::Clock::time_point now{std::chrono::hours(1)};
};

TEST_F(ProgressOfAJob, TakesWhatIsProgressAndNothingElse) {
  EXPECT_TRUE(take("run", 0, 0));
  for (const char* line : {"", "a table", "{", "{\"schema\":\"aisp.run\"}", "{\"schema\":\"aisp.progress\"}",
                           "{\"schema\":\"aisp.progress\",\"event\":\"hello\\n\\nevent: job\"}"})
    EXPECT_FALSE(progress.take(line)) << line;
  EXPECT_EQ(told, (Names{"run 0/0"}));
}

TEST_F(ProgressOfAJob, OfRoundsFiveASecondAreToldAndTheNewestIsNotLost) {
  for (int i = 0; i < 1000; ++i) take("rounds", 1, i, 10);
  EXPECT_GE(told.size(), 45u) << "in 10 s";
  EXPECT_LE(told.size(), 55u);
  told.clear();
  take("rounds", 1, 1000, 1);
  take("rounds", 1, 1001, 1);
  EXPECT_EQ(told, Names{});
  take("cell", 2, 0, 1);
  take("look", 2, 24, 1);
  take("look", 2, 48, 1);
  take("cell_finished", 2, 48, 1);
  EXPECT_EQ(told, (Names{"rounds 1/1001", "cell 2/0", "look 2/24", "look 2/48", "cell_finished 2/48"}));
  told.clear();
  for (int i = 0; i < 10; ++i) take("rounds", 3, i, 1);
  progress.follow({.id = 0, .state = "finished"});
  EXPECT_EQ(told.back(), "rounds 3/9");
}

TEST_F(ProgressOfAJob, WhoComesLaterIsToldTheFinishedCellsAndTheLooksAtTheCurrentOne) {
  EXPECT_EQ(so_far(), Names{});
  progress.follow({.id = 1, .state = "running"});
  take("run", 0, 0);
  take("cell", 1, 0);
  take("rounds", 1, 12);
  take("look", 1, 24);
  take("cell_finished", 1, 24);
  take("cell", 2, 0);
  take("look", 2, 24);
  take("rounds", 2, 30);
  take("look", 2, 48);
  take("rounds", 2, 50);
  take("rounds", 2, 51);
  EXPECT_EQ(so_far(),
            (Names{"run 0/0", "cell_finished 1/24", "cell 2/0", "look 2/24", "look 2/48", "rounds 2/51"}));
  progress.follow({.id = 1, .state = "running"});
  EXPECT_EQ(so_far().size(), 6u) << "it wrote a line";
  take("run_finished", 2, 51);
  progress.follow({.id = 1, .state = "finished"});
  EXPECT_EQ(so_far().back(), "run_finished 2/51") << "the last run stays to be seen";
  progress.follow({.id = 2, .state = "running"});
  EXPECT_EQ(so_far(), Names{});
}

TEST_F(ProgressOfAJob, WhatIsKeptIsBounded) {
  take("run", 0, 0);
  report::ProgressEvent wide{.event = "cell_finished"};
  wide.variants.resize(100);
  for (wide.cell = 1; wide.cell <= 500; ++wide.cell) {
    std::string line = report::progress_line(wide);
    line.pop_back();
    ASSERT_TRUE(progress.take(line));
  }
  std::size_t bytes = 0;
  for (const server::Event& event : progress.so_far()) bytes += event.data.size();
  EXPECT_LE(bytes, kKeptProgressBytes);
  EXPECT_GT(bytes, kKeptProgressBytes / 2);
  EXPECT_EQ(so_far().front(), "run 0/0");
  EXPECT_EQ(so_far().back(), "cell_finished 500/0");
  // A short line that is long once it is written in full.
  std::string many = "{\"schema\":\"aisp.progress\",\"event\":\"look\",\"variants\":[{}";
  for (int i = 0; i < 10000; ++i) many += ",{}";
  EXPECT_FALSE(progress.take(many + "]}"));
}

}  // namespace
}  // namespace aisp::cli
