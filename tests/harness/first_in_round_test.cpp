// SPDX-License-Identifier: Apache-2.0
// Who had the first turn, and what that says.
#include "aisp/harness/first_in_round.h"

#include <gtest/gtest.h>

namespace aisp::harness {
namespace {

/// Rounds in which the variants take turns to be first; `time(first)` is the time of "fast".
template <class Time>
std::optional<double> slowdown(int rounds, Time time) {
  CellResult cell;
  CostByRound costs;
  cell.at("base");
  cell.at("fast");
  for (int i = 0; i < rounds; ++i) {
    const bool first = i % 3 == 0;
    cell.rounds.push_back({.attempt = 0, .round = i, .order = first ? "fast base base'" : "base' fast base"});
    costs[{0, i}] = time(first, i);
  }
  return first_in_round_slowdown(cell, *cell.find("fast"), costs);
}

TEST(FirstInRound, HonestTimesDoNotDependOnTheTurn) {
  const auto honest = slowdown(48, [](bool, int i) { return 100.0 + 40 * (i % 7); });
  ASSERT_TRUE(honest);
  EXPECT_LT(*honest, 1.2);
}

TEST(FirstInRound, WhoCopiesIsSlowWithNothingToCopy) {
  const auto copied = slowdown(48, [](bool first, int i) { return (first ? 1000.0 : 100.0) + i; });
  ASSERT_TRUE(copied);
  EXPECT_GT(*copied, 5);
}

// A busy machine holds up many turns, and seldom all of them.
TEST(FirstInRound, OneFastTurnIsEnough) {
  const auto held_up = slowdown(48, [](bool first, int i) { return first && i != 6 ? 300.0 : 100.0; });
  ASSERT_TRUE(held_up);
  EXPECT_EQ(*held_up, 1);
}

TEST(FirstInRound, TooFewTurnsSayNothing) {
  EXPECT_FALSE(slowdown(9, [](bool, int) { return 100.0; }));
}

TEST(FirstInRound, NobodyToCopyFromIsNoDoubt) {
  CellResult cell;
  cell.at("alone");
  cell.rounds.push_back({.order = "alone alone'"});
  EXPECT_EQ(first_in_round_slowdown(cell, *cell.find("alone"), {{{0, 0}, 5.0}}), 1);
}

TEST(FirstInRound, TheCeilingIsNoVariantAndNamesMayHoldSpaces) {
  CellResult cell;
  cell.at("two");
  cell.at("two modes");
  EXPECT_EQ(first_of(cell, {.order = "ceiling two modes two"}), "two modes");
  EXPECT_EQ(first_of(cell, {.order = "two' two modes"}), "two");
  EXPECT_EQ(first_of(cell, {.order = "ceiling"}), "");
  EXPECT_EQ(first_of(cell, {.order = "unknown two"}), "");
}

}  // namespace
}  // namespace aisp::harness
