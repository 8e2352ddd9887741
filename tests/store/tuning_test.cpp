// SPDX-License-Identifier: Apache-2.0
// What was tuned, as the store keeps it: of one question the latest answer, of another none.
#include <gtest/gtest.h>

#include <thread>

#include "aisp/store/chain.h"
#include "aisp/store/database.h"
#include "tests/store/every_engine.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

class Tunings : public EveryEngine {};

Tuning tuning_of(const std::string& parameters, const std::string& chosen, const std::string& tuned_on = {}) {
  Tuning tuning;
  tuning.workload = "ch07/transpose";
  tuning.variant = "tiled";
  tuning.parameters = parameters;
  tuning.device = "cpu";
  tuning.hardware = "box";
  tuning.build = "b1";
  tuning.chosen = chosen;
  tuning.tuned_on = tuned_on.empty() ? parameters : tuned_on;
  tuning.ratio.ratio = 1.5;
  return tuning;
}

TEST_P(Tunings, AreFoundAgainOnTheirHardwareAlone) {
  const Place place(GetParam());
  {
    Store store = open_store(place.file());
    ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=8")));
  }
  Store store = open_store(place.file());
  const auto known = store.tunings("box");
  ASSERT_TRUE(known);
  ASSERT_EQ(known->size(), 1u);
  EXPECT_EQ(known->front().chosen, "tiled@tile=8");
  EXPECT_EQ(known->front().ratio.ratio, 1.5);
  EXPECT_TRUE(store.tunings("another box")->empty());
}

TEST_P(Tunings, TheLatestCountsAndOnlyOfTheSameQuestion) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=8")));
  Tuning other = tuning_of("n=64", "tiled@tile=32");
  other.build = "b2";
  ASSERT_TRUE(store.tuned(other));
  other = tuning_of("n=64", "tiled@tile=64");
  other.cache = CacheMode::cold;
  ASSERT_TRUE(store.tuned(other));
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=4")));
  const auto known = store.tunings("box");
  ASSERT_EQ(known->size(), 3u);
  EXPECT_EQ((*known)[0].chosen, "tiled@tile=4");
  EXPECT_EQ((*known)[1].chosen, "tiled@tile=32");
  EXPECT_EQ((*known)[2].chosen, "tiled@tile=64");
}

TEST_P(Tunings, WhatWasTunedForASizeGoesBeforeWhatWasOnlyJudgedThere) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=32", "n=128")));
  EXPECT_EQ(store.tunings("box")->front().chosen, "tiled@tile=32");
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=8")));
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=64", "n=128")));
  EXPECT_EQ(store.tunings("box")->front().chosen, "tiled@tile=8");
}

TEST_P(Tunings, CanBeForgottenAndLearntAgain) {
  const Place place(GetParam());
  Store store = open_store(place.file());
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=8")));
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "")));
  EXPECT_TRUE(store.tunings("box")->empty());
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=4", "n=128")));
  ASSERT_EQ(store.tunings("box")->size(), 1u);
}

TEST(TuningsInAFile, ADamagedOneIsAnErrorAndNotAMissingOne) {
  const TemporaryDirectory directory;
  Store store = open_store(directory.file());
  ASSERT_TRUE(store.tuned(tuning_of("n=64", "tiled@tile=8")));
  store.database().execute("DROP TRIGGER events_never_changed");
  store.database().execute("UPDATE events SET payload = replace(payload, 'tile=8', 'tile=9')");
  const auto known = store.tunings("box");
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code, ErrorCode::store);
  EXPECT_NE(known.error().hint.find("aisp store check"), std::string::npos);
}

TEST(TuningsInAFile, TwoWritersLoseNothing) {
  const TemporaryDirectory directory;
  {
    const Store made = open_store(directory.file());
  }
  const auto write = [&](const std::string& build) {
    Store store = open_store(directory.file());
    for (int i = 0; i < 20; ++i) {
      Tuning tuning = tuning_of("n=" + std::to_string(i), "tiled@tile=8");
      tuning.build = build;
      EXPECT_TRUE(store.tuned(tuning));
    }
  };
  std::thread first(write, "b1"), second(write, "b2");
  first.join();
  second.join();
  Store store = open_store(directory.file());
  EXPECT_EQ(store.tunings("box")->size(), 40u);
  const auto chain = check_chain(store);
  ASSERT_TRUE(chain);
  EXPECT_FALSE(chain->broken);
}

INSTANTIATE_TEST_SUITE_P(On, Tunings, kEveryEngine, engine_name);

}  // namespace
}  // namespace aisp::store::test
