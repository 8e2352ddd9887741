// SPDX-License-Identifier: Apache-2.0
// Where the samples of a round go: beside their windows, and under the names of the cell.
#include "aisp/harness/keep_slot.h"

#include <gtest/gtest.h>

#include "aisp/harness/build_cell.h"
#include "aisp/harness/earlier_rounds.h"
#include "aisp/harness/first_in_round.h"

namespace aisp::harness {
namespace {

using Items = std::vector<std::vector<double>>;

void keep(CellResult& cell, int round, const std::vector<double>& items) {
  cell.rounds.push_back({.round = round});
  keep_slot(cell, {.variant = "feed", .ns = 1, .items = items}, "feed", {.round = round});
}

TEST(KeepSlot, ItemsStayBesideTheirWindow) {
  CellResult cell;
  keep(cell, 0, {});  // nothing was answered in this window
  keep(cell, 1, {5, 6});
  keep(cell, 2, {});
  keep(cell, 3, {7});
  EXPECT_EQ(cell.find("feed")->samples.items, (Items{{}, {5, 6}, {}, {7}}));
}

TEST(KeepSlot, WithoutItemsThereIsNoColumn) {
  CellResult cell;
  keep(cell, 0, {});
  EXPECT_TRUE(cell.find("feed")->samples.items.empty());
}

TEST(EarlierRounds, KeepItemsBesideTheirWindow) {
  CellResult cell;
  keep(cell, 0, {5});
  keep(cell, 1, {});
  EarlierRounds earlier;
  earlier.take(cell, "other");
  keep(cell, 2, {7});
  earlier.put_back(cell);
  EXPECT_EQ(cell.find("feed")->samples.items, (Items{{5}, {}, {7}}));
}

TEST(BuildCell, OrderNamesTheCeiling) {
  CellResult cell;
  RoundRecord round;
  take_round(cell, 0, {.slots = {{.variant = ""}, {.variant = "tiled"}, {.variant = "tiled", .again = true}}},
             round);
  EXPECT_EQ(round.order, "ceiling old/tiled old/tiled'");
  EXPECT_EQ(first_of(cell, round), "old/tiled");
}

// Builds are compared across processes: a second turn in the same process would calibrate something else.
TEST(BuildCell, TheCalibrationIsOfAnotherProcessOfTheOldBuild) {
  CellResult cell;
  RoundRecord round;
  const auto report = [](double first, double second) {
    return RoundReport{
        .slots = {{.variant = "tiled", .ns = first}, {.variant = "tiled", .again = true, .ns = second}}};
  };
  take_round(cell, kOld, report(1, 2), round);
  take_round(cell, kNew, report(3, 4), round);
  EXPECT_EQ(cell.aa_samples.size(), 0u);
  take_round(cell, kOldAgain, report(5, 6), round);
  EXPECT_EQ(cell.aa_variant, "old/tiled");
  EXPECT_EQ(cell.aa_samples.ns, std::vector<double>{5});
  EXPECT_EQ(cell.find("old/tiled")->samples.ns, std::vector<double>{1});
  EXPECT_EQ(cell.find("new/tiled")->samples.ns, std::vector<double>{3});
  EXPECT_EQ(round.order, "old/tiled old/tiled' new/tiled new/tiled' old/tiled' old/tiled'");
}

TEST(BuildCell, IsCalibratedByAVariantOfEveryRound) {
  EXPECT_EQ(calibration_variant({.variants = {{.name = "naive", .every = 8},
                                              {.name = "absent", .skipped = "needs AVX-512"},
                                              {.name = "tiled"},
                                              {.name = "fast"}}}),
            "tiled");
  EXPECT_EQ(calibration_variant({.variants = {{.name = "naive", .every = 8}}}), "");
}

}  // namespace
}  // namespace aisp::harness
