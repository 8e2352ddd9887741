// SPDX-License-Identifier: Apache-2.0
// Guards over physics and samples: not_faster_than_floor, enough_samples, few_rounds_discarded,
// all_attempts_finished, calibrated, no_drift, one_mode, attempts_agree.
#include <gtest/gtest.h>

#include <cmath>

#include "aisp/guards/limits.h"
#include "good_evidence.h"

namespace aisp::guards {
namespace {

TEST(NotFasterThanFloor, EightTenthsOfTheFloorIsTheLimit) {
  Evidence evidence = good_evidence();
  const double limit = kFloorSlack * *evidence.floor.floor_ns;
  evidence.floor.fastest_ns = limit;
  EXPECT_EQ(level("not_faster_than_floor", evidence), Level::pass);
  for (const double ns : {std::nextafter(limit, 0.0), 0.0, -1.0, kNaN}) {
    evidence.floor.fastest_ns = ns;
    EXPECT_EQ(level("not_faster_than_floor", evidence), Level::reject) << ns;
  }
  evidence = good_evidence();
  evidence.floor.floor_ns = kNaN;
  EXPECT_EQ(level("not_faster_than_floor", evidence), Level::reject);
}

TEST(NotFasterThanFloor, UnknownWithoutAFloor) {
  Evidence evidence = good_evidence();
  evidence.floor.floor_ns.reset();
  EXPECT_EQ(level("not_faster_than_floor", evidence), Level::unknown);
  evidence = good_evidence();
  evidence.sampling.rounds = 0;
  EXPECT_EQ(level("not_faster_than_floor", evidence), Level::unknown);
}

TEST(NotFasterThanFloor, SaysWhichBound) {
  Evidence evidence = good_evidence();
  evidence.floor.fastest_ns = 1;
  EXPECT_NE(finding("not_faster_than_floor", evidence).because.find("read bandwidth"), std::string::npos);
}

TEST(EnoughSamples, OneRoundShortIsRejected) {
  Evidence evidence = good_evidence();
  evidence.sampling.rounds = evidence.sampling.rounds_required;
  EXPECT_EQ(level("enough_samples", evidence), Level::pass);
  EXPECT_NE(finding("enough_samples", evidence).because.find("possible from 12"), std::string::npos)
      << "it promises no interval: the table may still say (no interval)";
  evidence.sampling.rounds -= 1;
  EXPECT_EQ(level("enough_samples", evidence), Level::reject);
  evidence.sampling.rounds_required = 0;
  EXPECT_EQ(level("enough_samples", evidence), Level::unknown);
}

TEST(FewRoundsDiscarded, MoreGoneThanKeptIsRejected) {
  Evidence evidence = good_evidence();
  const auto at = [&](int kept, int discarded) {
    evidence.sampling.rounds = kept;
    evidence.sampling.rounds_discarded = discarded;
    return level("few_rounds_discarded", evidence);
  };
  EXPECT_EQ(at(90, 10), Level::pass);
  EXPECT_EQ(at(89, 11), Level::note);
  EXPECT_EQ(at(50, 50), Level::note);
  EXPECT_EQ(at(49, 51), Level::reject);
  EXPECT_EQ(at(0, 0), Level::unknown);
}

TEST(FewRoundsDiscarded, NamesTheRule) {
  Evidence evidence = good_evidence();
  evidence.sampling.rounds_discarded = 1000;
  evidence.sampling.discard_reasons = {"the machine was suspended"};
  EXPECT_NE(finding("few_rounds_discarded", evidence).because.find("suspended"), std::string::npos);
}

TEST(AllAttemptsFinished, AMissingOneIsRejected) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("all_attempts_finished", evidence), Level::pass);
  evidence.sampling.attempts_finished = 2;
  EXPECT_EQ(level("all_attempts_finished", evidence), Level::reject);
}

TEST(AllAttemptsFinished, FewerThanThreeProveNothingAboutProcesses) {
  Evidence evidence = good_evidence();
  for (const int attempts : {0, 1, 2}) {
    evidence.sampling.attempts_planned = evidence.sampling.attempts_finished = attempts;
    EXPECT_EQ(level("all_attempts_finished", evidence), Level::unknown) << attempts;
  }
}

TEST(Calibrated, RejectsOnlyBeyondEquivalence) {
  Evidence evidence = good_evidence();
  const auto at = [&](double low, double high) {
    evidence.sampling.aa_low = low;
    evidence.sampling.aa_high = high;
    return level("calibrated", evidence);
  };
  EXPECT_EQ(at(0.99, 1.01), Level::pass);
  EXPECT_EQ(at(1.001, 1.01), Level::note) << "excludes 1, as one honest run in twenty does";
  EXPECT_EQ(at(1.02, 1.03), Level::note) << "the edge of the region";
  EXPECT_EQ(at(1.0201, 1.03), Level::reject);
  EXPECT_EQ(at(0.9, 1 / 1.02), Level::note);
  EXPECT_EQ(at(0.9, 0.98), Level::reject);
  EXPECT_EQ(at(0.9, 1.1), Level::note) << "wide, and honest about it";
  EXPECT_EQ(at(0, kInfinity), Level::unknown) << "no interval at all";
  EXPECT_EQ(at(kNaN, 1), Level::reject);
  EXPECT_EQ(at(1, kNaN), Level::reject);
  evidence.sampling.aa_low.reset();
  EXPECT_EQ(level("calibrated", evidence), Level::unknown);
}

TEST(NoDrift, NotedInBothDirections) {
  Evidence evidence = good_evidence();
  const auto at = [&](std::optional<double> drift) {
    evidence.sampling.drift_per_run = drift;
    return level("no_drift", evidence);
  };
  EXPECT_EQ(at(std::nullopt), Level::pass) << "given only where it is significant";
  EXPECT_EQ(at(kNotableDrift), Level::pass);
  EXPECT_EQ(at(0.06), Level::note);
  EXPECT_EQ(at(-0.06), Level::note);
  EXPECT_EQ(at(kNaN), Level::note);
}

TEST(OneMode, TwoAreNoted) {
  Evidence evidence = good_evidence();
  EXPECT_EQ(level("one_mode", evidence), Level::pass);
  evidence.sampling.two_modes = true;
  EXPECT_EQ(level("one_mode", evidence), Level::note);
  evidence.sampling.two_modes.reset();
  EXPECT_EQ(level("one_mode", evidence), Level::unknown);
}

TEST(SameFirstOrLater, AFirstTurnThatTakesTwiceAsLongIsRejected) {
  Evidence evidence = good_evidence();
  const auto at = [&](std::optional<double> slower) {
    evidence.sampling.first_in_round = slower;
    return level("same_first_or_later", evidence);
  };
  EXPECT_EQ(at(0.7), Level::pass);
  EXPECT_EQ(at(kLargestFirstSlowdown), Level::pass);
  EXPECT_EQ(at(2.1), Level::reject);
  EXPECT_EQ(at(kNaN), Level::reject);
  EXPECT_EQ(at(std::nullopt), Level::unknown);
}

TEST(AttemptsAgree, ASpreadIsNoted) {
  Evidence evidence = good_evidence();
  evidence.sampling.attempt_spread = kNotableAttemptSpread;
  EXPECT_EQ(level("attempts_agree", evidence), Level::pass);
  for (const double spread : {0.051, kNaN}) {
    evidence.sampling.attempt_spread = spread;
    EXPECT_EQ(level("attempts_agree", evidence), Level::note) << spread;
  }
  evidence.sampling.attempt_spread.reset();
  EXPECT_EQ(level("attempts_agree", evidence), Level::unknown);
}

}  // namespace
}  // namespace aisp::guards
