// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/pareto.h"

#include <gtest/gtest.h>

#include "aisp/analysis/tradeoffs.h"
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

// "bad" takes longer than base and is further off; it is nearer than the other two. Errors are points: any
// that is smaller decides.
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
  EXPECT_EQ(asked.left_out[0].why, "needs its energy, for which there was no counter");
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

TEST(Pareto, TimesOfAnotherRunAreNotCompared) {
  auto figures = four();
  figures[1].seq = 9;
  const Front front = front_of(figures);
  EXPECT_EQ(on_front(front), (Names{"base", "small"}));
  ASSERT_EQ(front.left_out.size(), 1u);
  EXPECT_EQ(front.left_out[0].variant, "fast");
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
  EXPECT_DOUBLE_EQ(*steps[0].energy, 0.75);
  EXPECT_DOUBLE_EQ(*steps[0].error, 0.5);
  EXPECT_DOUBLE_EQ(*steps[0].memory, 2);
  EXPECT_EQ(steps[1].to, "base");
  EXPECT_DOUBLE_EQ(*steps[1].energy, 0.5);
  EXPECT_DOUBLE_EQ(*steps[1].error, 0.25);
  EXPECT_DOUBLE_EQ(*steps[1].memory, 0.25);
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
