// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/pareto.h"

#include <gtest/gtest.h>

#include "aisp/analysis/tradeoffs.h"
#include "aisp/analysis/worst_error.h"
#include "aisp/core/config.h"
#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;

/// Time, bytes: base 100/10, fast 50/40, small 120/5, bad 130/50.
std::vector<Figure> four() {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"small", 120}, {"bad", 130}});
  const double bytes[] = {10, 40, 5, 50};
  for (std::size_t i = 0; i < 4; ++i) figures[i].peak_bytes = bytes[i];
  return figures;
}

Front front_of(const std::vector<Figure>& figures, std::vector<Respect> respects = {}) {
  return pareto(contests(figures).at(0), std::move(respects));
}

Names on_front(const Front& front) {
  Names names;
  for (const FrontMember& member : front.members)
    if (member.on_front()) names.push_back(member.variant);
  return names;
}

// "bad" takes longer and holds more than each of the other three; none of those has less of both.
TEST(Pareto, KeepsWhatNothingBeatsInEveryRespect) {
  const auto figures = four();
  const Front front = front_of(figures);
  EXPECT_EQ(front.respects, (Names{"time", "memory"}));
  EXPECT_EQ(on_front(front), (Names{"fast", "base", "small"}));
  ASSERT_EQ(front.members.size(), 4u);
  EXPECT_EQ(front.members[3].variant, "bad");
  EXPECT_EQ(front.members[3].dominated_by, (Names{"fast", "base", "small"}));
}

TEST(Pareto, OtherDataGiveAnotherFront) {
  auto figures = four();
  figures[1].peak_bytes = 4;  // now the fastest holds least as well
  EXPECT_EQ(on_front(front_of(figures)), (Names{"fast"}));
  figures = four();
  figures[3].peak_bytes = 1;
  EXPECT_EQ(on_front(front_of(figures)), (Names{"fast", "base", "small", "bad"}));
}

// 100 and 101 ns with 2 % to either side are not apart, and they hold the same: neither beats the other.
TEST(Pareto, TimesThatAreNotApartDecideNothing) {
  auto figures = contest("n=1", {{"base", 100}, {"other", 101}});
  for (Figure& figure : figures) figure.peak_bytes = 8;
  EXPECT_EQ(on_front(front_of(figures)), (Names{"base", "other"}));
  figures[1].peak_bytes = 9;
  EXPECT_EQ(on_front(front_of(figures)), (Names{"base"})) << "no faster, and it holds more";
}

// 10 and 10.001 J are one energy: it neither saves a slower variant nor beats an equally fast one. 10.3 J are
// 3 % more.
TEST(Pareto, EnergiesThatAreNotApartDecideNothing) {
  EXPECT_EQ(kSameEnergy, RunConfig{}.equivalence);
  const auto front = [](double other_ns, double other_joules) {
    auto figures = contest("n=1", {{"base", 100}, {"other", other_ns}});
    figures[0].joules = 10;
    figures[1].joules = other_joules;
    return on_front(front_of(figures, {Respect::time, Respect::energy}));
  };
  EXPECT_EQ(front(50, 10.001), (Names{"other"})) << "twice as fast for the same energy";
  EXPECT_EQ(front(50, 10.3), (Names{"other", "base"}));
  EXPECT_EQ(front(100.5, 10.001), (Names{"base", "other"})) << "neither is surely better";
  EXPECT_EQ(front(100.5, 10.3), (Names{"base"}));
}

// Where the counter says how far it may be off, that decides: with 5 % to either side 10.3 J are no more than
// 10, with 0.1 % 10.1 J are.
TEST(Pareto, TheUncertaintyOfTheCounterDecidesWhetherEnergiesAreApart) {
  const auto front = [](double other_ns, double other_joules, double uncertainty) {
    auto figures = contest("n=1", {{"base", 100}, {"other", other_ns}});
    figures[0].joules = 10;
    figures[1].joules = other_joules;
    for (Figure& figure : figures) figure.joules_uncertainty = uncertainty;
    return front_of(figures, {Respect::time, Respect::energy});
  };
  EXPECT_EQ(on_front(front(50, 10.3, 0.05)), (Names{"other"})) << "twice as fast for the same energy";
  EXPECT_EQ(on_front(front(50, 10.1, 0.001)), (Names{"other", "base"}));
  EXPECT_EQ(on_front(front(100.5, 10.1, 0.001)), (Names{"base"}));
  const Front apart = front(50, 20, 0.05);
  EXPECT_DOUBLE_EQ(apart.members.at(0).joules->low, 19);
  EXPECT_DOUBLE_EQ(apart.members.at(0).joules->high, 21);
  const Exchange step = exchanges(apart).at(0);  // to 10 J with 5 %, from 20
  EXPECT_DOUBLE_EQ(step.energy->value, 0.5);
  EXPECT_DOUBLE_EQ(step.energy->low, 9.5 / 21);
  EXPECT_DOUBLE_EQ(step.energy->high, 10.5 / 19);
}

/// Time and error, in tolerances: base 100/0.1, fast 50/0.8, mixed 60/0.4, bad 110/0.2. In memory and energy
/// all are the same.
std::vector<Figure> by_error() {
  auto figures = contest("n=1", {{"base", 100}, {"fast", 50}, {"mixed", 60}, {"bad", 110}});
  const double errors[] = {0.1, 0.8, 0.4, 0.2};
  for (std::size_t i = 0; i < 4; ++i) {
    figures[i].worst_error = errors[i];
    figures[i].peak_bytes = 8;
    figures[i].joules = 3;
  }
  return figures;
}

TEST(WorstError, HasTwoDigits) {
  EXPECT_EQ(told_apart(0.9905), told_apart(0.9906));
  EXPECT_EQ(told_apart(0.9906), 0.99);
  EXPECT_NE(told_apart(0.98), told_apart(0.99));
  EXPECT_EQ(told_apart(0.00996), told_apart(0.01)) << "across a power of ten";
  EXPECT_EQ(told_apart(1.2345e-300), 1.2e-300);
  EXPECT_EQ(told_apart(0), 0);
  EXPECT_EQ(told_apart(HUGE_VAL), HUGE_VAL);
}

// 0.9906 and 0.9905 of the tolerance are one error: it neither saves a slower variant nor beats an equally
// fast one. 0.98 is less.
TEST(Pareto, ErrorsOfTheSameTwoDigitsDecideNothing) {
  const auto front = [](double other_ns, double other_error) {
    auto figures = contest("n=1", {{"base", 100}, {"other", other_ns}});
    figures[0].worst_error = 0.9905;
    figures[1].worst_error = other_error;
    return front_of(figures, {Respect::time, Respect::error});
  };
  EXPECT_EQ(on_front(front(50, 0.9906)), (Names{"other"})) << "twice as fast for the same error";
  EXPECT_EQ(on_front(front(100, 0.9906)), (Names{"base", "other"})) << "neither is surely better";
  EXPECT_EQ(on_front(front(100, 0.98)), (Names{"other"}));
  EXPECT_EQ(on_front(front(200, 0.98)), (Names{"base", "other"}));
  EXPECT_EQ(front(50, 0.9906).members.at(0).worst_error, 0.9906) << "shown as recorded";
}

// "bad" takes longer than base and is further off; it is nearer than the other two. Errors are points: any
// that is smaller in its two digits decides.
TEST(Pareto, LessErrorIsWorthTime) {
  auto figures = by_error();
  Front front = front_of(figures, {Respect::time, Respect::error});
  EXPECT_EQ(front.respects, (Names{"time", "error"}));
  EXPECT_EQ(on_front(front), (Names{"fast", "mixed", "base"}));
  ASSERT_EQ(front.members.size(), 4u);
  EXPECT_EQ(front.members[3].dominated_by, (Names{"base"}));
  EXPECT_EQ(on_front(front_of(figures, {Respect::time, Respect::memory})), (Names{"fast"}));
  figures[3].worst_error = 0.05;
  EXPECT_EQ(on_front(front_of(figures, {Respect::time, Respect::error})),
            (Names{"fast", "mixed", "base", "bad"}));
  figures[1].worst_error = 0;
  EXPECT_EQ(on_front(front_of(figures, {Respect::time, Respect::error})), (Names{"fast"})) << "exact";
  figures[1].worst_error.reset();
  front = front_of(figures, {Respect::error, Respect::time});
  EXPECT_EQ(on_front(front), (Names{"bad", "base", "mixed"})) << "by the first respect";
  ASSERT_EQ(front.left_out.size(), 1u);
  EXPECT_EQ(front.left_out[0].why, "needs the error of its answers, none of which was checked");
}

TEST(Pareto, OneRespectOrUnknownOnesCannotTell) {
  const auto times = contest("n=1", {{"base", 100}, {"fast", 50}});
  EXPECT_NE(front_of(times).needs, "");
  const Front asked = front_of(times, {Respect::time, Respect::energy});
  EXPECT_NE(asked.needs, "");
  ASSERT_EQ(asked.left_out.size(), 2u);
  EXPECT_EQ(
      asked.left_out[0].why,
      "needs its energy: an audited run (without --no-energy) on a machine with a readable energy counter");
  auto invalid = four();
  for (Figure& figure : invalid) figure.validity = Validity::invalid;
  EXPECT_EQ(front_of(invalid).needs, "valid variants");
}

TEST(Pareto, AVariantWithoutARespectIsLeftOutNotFree) {
  auto figures = four();
  figures[1].peak_bytes.reset();
  EXPECT_EQ(front_of(figures).respects, (Names{"time"})) << "memory is not known of all";
  const Front front = front_of(figures, {Respect::time, Respect::memory});
  EXPECT_EQ(on_front(front), (Names{"base", "small"}));
  ASSERT_EQ(front.left_out.size(), 1u);
  EXPECT_EQ(front.left_out[0].variant, "fast");
}

/// four(), and then base and fast once more, on a day on which everything takes three times as long.
std::vector<Figure> four_and_the_best_again() {
  auto figures = four();
  for (std::size_t i = 0; i < 2; ++i) {
    figures[i].seq = 9;
    figures[i].run = "r2";
    figures[i].time_ns = about(3 * figures[i].time_ns->value, 0.02);
  }
  return figures;
}

// Shares of the baseline's time in the same rounds: fast 0.5, base 1, small 1.2, bad 1.3. By times of two
// days fast (150) would be slower than small (120), and beaten by it.
TEST(Pareto, VariantsOfSeveralRunsAreComparedByTheirShareOfTheBaseline) {
  const auto figures = four_and_the_best_again();
  const Front front = front_of(figures);
  EXPECT_EQ(on_front(front), (Names{"fast", "base", "small"}));
  EXPECT_TRUE(front.left_out.empty());
  ASSERT_EQ(front.members.size(), 4u);
  EXPECT_EQ(front.members[3].dominated_by, (Names{"fast", "base", "small"}));
  EXPECT_EQ(front.members[0].run, "r2");
  EXPECT_DOUBLE_EQ(front.members[0].time_share->value, 0.5);
  EXPECT_DOUBLE_EQ(front.members[0].time_share->high, 1 / (2 * 0.98));
  EXPECT_EQ(front.members[1].time_share->high, 1) << "the baseline is its own measure";
  EXPECT_NE(front.note.find("of 2 runs"), std::string::npos) << front.note;
  const Front one_run = front_of(four());
  EXPECT_EQ(one_run.note, "");
  EXPECT_FALSE(one_run.members.at(0).time_share);
}

// Gains of percentiles and of memory are no ratios of times: then one run is compared, and whoever is left
// out though nothing that is left was as fast is said to be.
TEST(Pareto, WithoutGainsInTimeOneRunIsCompared) {
  auto figures = four();
  figures[1].seq = 9;
  for (Figure& figure : figures) figure.goal = Goal::latency;
  const Front front = front_of(figures);
  EXPECT_EQ(on_front(front), (Names{"base", "small"}));
  EXPECT_EQ(front.note, "");
  ASSERT_EQ(front.left_out.size(), 1u);
  EXPECT_EQ(front.left_out[0].variant, "fast");
  EXPECT_EQ(
      front.left_out[0].why,
      "it was measured in another run: times of one run are compared; there it took less time than any of "
      "these");
}

TEST(Pareto, AGainOverAnotherBaselineIsNotCompared) {
  auto figures = four_and_the_best_again();
  figures[3].against = "another";
  const Front front = front_of(figures);
  EXPECT_EQ(on_front(front), (Names{"fast", "base", "small"}));
  ASSERT_EQ(front.left_out.size(), 1u);
  EXPECT_EQ(front.left_out[0].why,
            "it was measured in another run, without a gain in time over the same baseline");
}

// fast -> base: 100/50 = 2 times the time, [98/51, 102/49] = [1.92157, 2.08163], for 10/40 = 0.25 of the
// memory; base -> small: 1.2 times the time for 0.5 of the memory.
TEST(Tradeoffs, SayWhatIsPaidForWhat) {
  const auto figures = four();
  const auto steps = exchanges(front_of(figures));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].from, "fast");
  EXPECT_EQ(steps[0].to, "base");
  EXPECT_DOUBLE_EQ(steps[0].time.value, 2);
  EXPECT_NEAR(steps[0].time.low, 1.92157, 1e-5);
  EXPECT_NEAR(steps[0].time.high, 2.08163, 1e-5);
  EXPECT_DOUBLE_EQ(*steps[0].memory, 0.25);
  EXPECT_DOUBLE_EQ(steps[1].time.value, 1.2);
  EXPECT_DOUBLE_EQ(*steps[1].memory, 0.5);
  EXPECT_FALSE(steps[0].energy);
}

// As in one run: the day on which everything takes three times as long is in no ratio. fast -> base is 1 over
// a gain of 2 with 2 % to either side.
TEST(Tradeoffs, OverSeveralRunsAreRatiosOfShares) {
  const auto steps = exchanges(front_of(four_and_the_best_again()));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].from + " " + steps[0].to, "fast base");
  EXPECT_DOUBLE_EQ(steps[0].time.value, 2);
  EXPECT_DOUBLE_EQ(steps[0].time.low, 1.96);
  EXPECT_DOUBLE_EQ(steps[0].time.high, 2.04);
  EXPECT_DOUBLE_EQ(steps[1].time.value, 1.2);
}

// fast -> mixed: 60/50 = 1.2 times the time, 6/8 = 0.75 of the energy, 0.4/0.8 = 0.5 of the error, 40/20 = 2
// times the memory; mixed -> base: 100/60, 3/6 = 0.5, 0.1/0.4 = 0.25, 10/40 = 0.25.
TEST(Tradeoffs, EveryRespectHasItsOwnRatio) {
  auto figures = by_error();
  const double joules[] = {3, 8, 6, 9}, bytes[] = {10, 20, 40, 50};
  for (std::size_t i = 0; i < 4; ++i) {
    figures[i].joules = joules[i];
    figures[i].peak_bytes = bytes[i];
  }
  const auto steps = exchanges(front_of(figures, {Respect::time, Respect::error}));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].from + " " + steps[0].to, "fast mixed");
  EXPECT_DOUBLE_EQ(steps[0].time.value, 1.2);
  EXPECT_DOUBLE_EQ(steps[0].energy->value, 0.75);
  EXPECT_EQ(steps[0].energy->low, steps[0].energy->high) << "no interval is made up";
  EXPECT_DOUBLE_EQ(*steps[0].error, 0.5);
  EXPECT_DOUBLE_EQ(*steps[0].memory, 2);
  EXPECT_EQ(steps[1].to, "base");
  EXPECT_DOUBLE_EQ(steps[1].energy->value, 0.5);
  EXPECT_DOUBLE_EQ(*steps[1].error, 0.25);
  EXPECT_DOUBLE_EQ(*steps[1].memory, 0.25);
}

// fast -> base: 100/50 = 2 times the time for 0.9906, which is 0.99, and so no less error than 0.9905.
TEST(Tradeoffs, NoErrorIsSavedBehindTheSecondDigit) {
  auto figures = four();
  for (std::size_t i = 0; i < 4; ++i) figures[i].worst_error = i == 1 ? 0.9906 : 0.9905;
  const auto steps = exchanges(front_of(figures, {Respect::time, Respect::memory}));
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps[0].from, "fast");
  EXPECT_EQ(steps[0].error, 1);
}

TEST(Tradeoffs, NothingIsMadeOfNothing) {
  auto figures = four();
  figures[1].peak_bytes = 0;
  const auto steps = exchanges(front_of(figures));
  EXPECT_TRUE(steps.empty()) << "the fastest holds nothing: it is alone on the front";
  figures = four();
  figures[2].peak_bytes = 0;
  EXPECT_EQ(exchanges(front_of(figures)).at(1).memory, 0) << "all of it is saved";
}

}  // namespace
}  // namespace aisp::analysis
