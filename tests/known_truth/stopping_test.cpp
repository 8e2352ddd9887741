// SPDX-License-Identifier: Apache-2.0
// When sampling ends: at a look fixed in advance, when precise, when the time is spent; never beyond the last
// look.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "measured.h"
#include "programmed.h"

namespace aisp::known_truth {
namespace {

const Registration steady{programmed(
    "stop/steady", {{"base", {.ns = 30e3, .sigma = 0.001}}, {"fast", {.ns = 20e3, .sigma = 0.001}}})};
const Registration noisy{
    programmed("stop/noisy", {{"base", {.ns = 30e3, .sigma = 0.5}}, {"fast", {.ns = 20e3, .sigma = 0.5}}})};
const Registration slow{
    programmed("stop/slow", {{"base", {.ns = 1e6, .sigma = 0.3}}, {"fast", {.ns = 0.8e6, .sigma = 0.3}}})};

const Registration slowest{
    programmed("stop/slowest", {{"base", {.ns = 20e6, .sigma = 0.1}}, {"fast", {.ns = 18e6, .sigma = 0.1}}})};

TEST(Stopping, EndsAtTheFirstLookThatIsPreciseEnough) {
  RunConfig config = quick_config();
  config.precision = 0.05;
  const CellResult cell = measured("stop/steady", config);
  EXPECT_EQ(cell.stopped, "precise");
  ASSERT_LT(static_cast<std::size_t>(cell.look), config.looks.size());
  EXPECT_EQ(cell.rounds.size(), static_cast<std::size_t>(config.looks[static_cast<std::size_t>(cell.look)]));
  const RatioEstimate& ratio = *cell.find("fast")->speedup;
  EXPECT_LE((ratio.high - ratio.low) / (2 * ratio.ratio), 0.05);
}

TEST(Stopping, EndsAtTheLastLookWithoutPrecisionAndGoesNoFurther) {
  RunConfig config = quick_config();
  config.precision = 1e-9;
  config.looks = {12, 30};
  config.cell_seconds = 60;
  const CellResult cell = measured("stop/noisy", config);
  EXPECT_EQ(cell.stopped, "looks");
  EXPECT_EQ(cell.rounds.size(), 30u);
  EXPECT_EQ(cell.look, 1);
}

TEST(Stopping, EndsWhenTheTimeIsSpentButNotBeforeAnIntervalExists) {
  RunConfig config = quick_config();
  config.precision = 1e-9;
  config.looks = {24, 20000};
  config.cell_seconds = 0.3;
  const CellResult cell = measured("stop/slow", config);
  EXPECT_EQ(cell.stopped, "time");
  EXPECT_GE(cell.rounds.size(), 12u);
  EXPECT_LT(cell.rounds.size(), 2000u);
  EXPECT_GT(cell.find("fast")->speedup->low, 0) << "an interval";
}

// Five rounds fit the time; the cell waits for the dozen that an interval needs.
TEST(Stopping, AShortTimeStillGivesAnInterval) {
  RunConfig config = quick_config();
  config.precision = 1e-9;
  config.cell_seconds = 0.3;
  const CellResult cell = measured("stop/slowest", config);
  EXPECT_EQ(cell.stopped, "time");
  EXPECT_GE(cell.rounds.size(), 12u);
  EXPECT_LT(cell.rounds.size(), 24u);
}

TEST(Stopping, EveryAttemptGetsItsShareOfRounds) {
  RunConfig config = quick_config();
  config.precision = 1e-9;
  config.looks = {24, 48};
  const CellResult cell = measured("stop/steady", config);
  ASSERT_EQ(cell.attempts.size(), 3u);
  int sum = 0;
  std::set<std::string> commitments;
  for (const AttemptRecord& attempt : cell.attempts) {
    EXPECT_GE(attempt.rounds, 12) << attempt.attempt;
    EXPECT_EQ(attempt.status, "finished");
    commitments.insert(attempt.seed_commitment);
    sum += attempt.rounds;
  }
  EXPECT_EQ(sum, 48);
  EXPECT_EQ(commitments.size(), 3u) << "every attempt draws its own seed";
  std::set<int> numbers;
  for (const RoundRecord& round : cell.rounds) numbers.insert(round.round);
  EXPECT_EQ(numbers.size(), 48u) << "rounds are numbered over all attempts";
}

// Rounds come in pairs: what was sampled first in one is sampled last in the next, so that a drift cancels.
TEST(Stopping, OrdersAreRandomAndMirrored) {
  RunConfig config = quick_config();
  config.attempts = 1;
  config.precision = 1e-9;
  config.looks = {40};
  const CellResult cell = measured("stop/steady", config);
  std::set<std::string> orders;
  for (std::size_t i = 0; i + 1 < cell.rounds.size(); i += 2) {
    const auto words = [](const std::string& text) {
      std::vector<std::string> list;
      std::istringstream stream(text);
      for (std::string word; stream >> word;) list.push_back(word);
      return list;
    };
    auto first = words(cell.rounds[i].order), second = words(cell.rounds[i + 1].order);
    EXPECT_EQ(first.size(), 3u) << cell.rounds[i].order;
    std::ranges::reverse(second);
    EXPECT_EQ(first, second) << "round " << i;
    orders.insert(cell.rounds[i].order);
  }
  EXPECT_GE(orders.size(), 3u) << "of six possible orders in 20 draws";
}

}  // namespace
}  // namespace aisp::known_truth
