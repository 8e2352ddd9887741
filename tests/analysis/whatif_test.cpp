// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/whatif.h"

#include <gtest/gtest.h>

#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;

/// Time and memory with the tensors' 1000 bytes: base 100 ns, 1010 B; fast 50 ns, 1040 B; lean 80 ns, 1005 B.
std::vector<Figure> three() {
  auto figures = contest("n=8", {{"base", 100}, {"fast", 50}, {"lean", 80}});
  const double bytes[] = {10, 40, 5}, error[] = {0, 0.5, 0.01};
  for (std::size_t i = 0; i < 3; ++i) {
    figures[i].peak_bytes = bytes[i];
    figures[i].worst_error = error[i];
    figures[i].bytes = 1000;
  }
  return figures;
}

Names verdicts(const std::vector<Figure>& figures, const Wish& wish) {
  Names said;
  for (const Options& options : what_if(figures, wish))
    for (const Candidate& each : options.candidates)
      said.push_back(each.variant + " " + (each.rank ? std::to_string(*each.rank) : each.verdict));
  return said;
}

TEST(WhatIf, WithoutConstraintsAllMeetAndRankByTime) {
  EXPECT_EQ(verdicts(three(), {}), (Names{"fast 1", "lean 2", "base 3"}));
}

TEST(WhatIf, EachConstraintFilters) {
  EXPECT_EQ(verdicts(three(), {.latency_ns = 90}), (Names{"fast 1", "lean 2", "base fails"}));
  EXPECT_EQ(verdicts(three(), {.memory_bytes = 1020}), (Names{"lean 1", "base 2", "fast fails"}));
  EXPECT_EQ(verdicts(three(), {.max_error = 1e-3}), (Names{"base 1", "fast fails", "lean fails"}));
  EXPECT_EQ(verdicts(three(), {.latency_ns = 90, .memory_bytes = 1020}),
            (Names{"lean 1", "fast fails", "base fails"}));
}

// As on a front: an error and a limit of the same two digits are one, and 0.996 is 1.0.
TEST(WhatIf, ErrorsAreHeldToLimitsByTwoDigits) {
  auto figures = three();
  const double errors[] = {0.9905, 0.9906, 0.996};
  for (std::size_t i = 0; i < 3; ++i) figures[i].worst_error = errors[i];
  for (const double limit : {0.99, 0.9905})
    EXPECT_EQ(verdicts(figures, {.max_error = limit}), (Names{"fast 1", "base 2", "lean fails"})) << limit;
  EXPECT_EQ(verdicts(figures, {.max_error = 0.998}), (Names{"fast 1", "lean 2", "base 3"}));
  EXPECT_EQ(verdicts(figures, {.max_error = 0.98}), (Names{"fast fails", "lean fails", "base fails"}));
  const Options options = what_if(figures, {.max_error = 0.99}).at(0);
  EXPECT_EQ(options.candidates.at(0).worst_error, 0.9906) << "shown as recorded";
}

TEST(WhatIf, OtherDataGiveAnotherAnswer) {
  auto figures = three();
  figures[1].peak_bytes = 1;
  EXPECT_EQ(verdicts(figures, {.memory_bytes = 1020}), (Names{"fast 1", "lean 2", "base 3"}));
  figures[1].bytes = 5000;
  EXPECT_EQ(verdicts(figures, {.memory_bytes = 1020}), (Names{"lean 1", "base 2", "fast fails"}))
      << "tensors count";
}

// A limit is held against each variant by itself: measuring the best one again, alone, takes nobody away.
TEST(WhatIf, VariantsOfSeveralRunsAreAllHeldToTheLimits) {
  auto figures = three();
  EXPECT_EQ(what_if(figures, {.latency_ns = 90}).at(0).note, "");
  for (std::size_t i = 0; i < 2; ++i) {
    figures[i].seq = 9;
    figures[i].run = "r2";
  }
  EXPECT_EQ(verdicts(figures, {.latency_ns = 90}), (Names{"fast 1", "lean 2", "base fails"}));
  const Options options = what_if(figures, {}).at(0);
  EXPECT_TRUE(options.left_out.empty());
  EXPECT_EQ(options.candidates.at(0).run, "r2");
  EXPECT_EQ(options.candidates.at(1).run, "r1");
  EXPECT_NE(options.note.find("of 2 runs"), std::string::npos) << options.note;
}

TEST(WhatIf, WithoutALimitItSaysThatNothingWasAsked) {
  const auto note = [](const Wish& wish) { return what_if(three(), wish).at(0).note; };
  EXPECT_NE(note({}).find("nothing was asked"), std::string::npos) << note({});
  for (const Wish& wish : {Wish{.latency_ns = 1}, Wish{.memory_bytes = 1}, Wish{.max_error = 1}})
    EXPECT_EQ(note(wish), "");
}

// 80 ns with 2 %: [78.4, 81.6]. A limit of 80 lies inside.
TEST(WhatIf, AnIntervalThatHoldsTheLimitIsUndecided) {
  const auto figures = three();
  const auto options = what_if(figures, {.latency_ns = 80});
  const Candidate& lean = options.at(0).candidates.at(1);
  EXPECT_EQ(lean.variant, "lean");
  EXPECT_EQ(lean.verdict, "cannot tell");
  EXPECT_EQ(lean.checks.at(0).state, "undecided");
  EXPECT_EQ(lean.needs, "a tighter interval for its latency");
}

TEST(WhatIf, WhatIsNotKnownIsNotMet) {
  auto figures = three();
  for (Figure& figure : figures) {
    figure.peak_bytes.reset();
    figure.worst_error.reset();
  }
  for (const Wish& wish : {Wish{.memory_bytes = 1e12}, Wish{.max_error = 1}}) {
    const auto answers = what_if(figures, wish);
    ASSERT_EQ(answers.at(0).candidates.size(), 3u);
    for (const Candidate& each : answers[0].candidates) {
      EXPECT_EQ(each.verdict, "cannot tell");
      EXPECT_NE(each.needs, "");
    }
  }
  EXPECT_EQ(verdicts(figures, {.latency_ns = 60, .memory_bytes = 1e12}),
            (Names{"fast cannot tell", "lean fails", "base fails"}));
}

TEST(WhatIf, LatencyIsThePercentileWhereItIsTheGoal) {
  auto figures = three();
  for (Figure& figure : figures) {
    figure.goal = Goal::latency;
    figure.figure = about(10 * figure.time_ns->value, 0.02);
  }
  EXPECT_EQ(verdicts(figures, {.latency_ns = 90}), (Names{"fast fails", "lean fails", "base fails"}));
}

/// time = 3 n^2 and 12 n; memory n bytes and the tensors' 8 n.
std::vector<Figure> sweep() {
  std::vector<Figure> figures;
  for (const double n : {2.0, 8.0, 32.0}) {
    auto at = contest("n=" + std::to_string(static_cast<int>(n)) + " threads=1",
                      {{"square", 3 * n * n}, {"line", 12 * n}});
    for (Figure& figure : at) {
      figure.peak_bytes = n;
      figure.bytes = 8 * n;
      figure.worst_error = 0;
    }
    figures = joined(figures, at);
  }
  return figures;
}

// At n=16: 3 * 256 = 768 ns and 12 * 16 = 192 ns, exact but for the 2 % of what they were made of: the
// farther end of an interval is 1/0.98 away, and 192/0.98 = 195.918, 192 * 0.98 = 188.16. Memory 16 + 128 =
// 144 bytes.
TEST(WhatIf, ASizeBetweenMeasuredOnesIsModelled) {
  const auto options = what_if(sweep(), {.size = {{"n", 16}}});
  ASSERT_EQ(options.size(), 1u);
  EXPECT_EQ(options[0].where.parameters, "n=16 threads=1");
  ASSERT_EQ(options[0].candidates.size(), 2u);
  const Candidate& line = options[0].candidates[0];
  EXPECT_EQ(line.variant, "line");
  EXPECT_TRUE(line.modelled);
  EXPECT_NEAR(line.time_ns->value, 192, 1e-6);
  EXPECT_NEAR(line.time_ns->high, 195.918, 1e-3);
  EXPECT_NEAR(line.time_ns->low, 188.16, 1e-6);
  EXPECT_NEAR(*line.memory_bytes, 144, 1e-6);
  EXPECT_NEAR(options[0].candidates[1].time_ns->value, 768, 1e-6);
  EXPECT_EQ(verdicts(sweep(), {.latency_ns = 200, .size = {{"n", 16}}}), (Names{"line 1", "square fails"}));
}

// Memory that no curve meets exactly: between the ends of the forecast the limit is undecided, and what is
// shown is the upper end.
TEST(WhatIf, ALimitInsideOfForecastMemoryIsUndecided) {
  auto figures = sweep();
  for (Figure& figure : figures)
    if (figure.parameters.starts_with("n=8 ")) figure.peak_bytes = *figure.peak_bytes * 1.5;
  const auto line = [&](double limit) {
    const Candidate each =
        what_if(figures, {.memory_bytes = limit, .size = {{"n", 16}}}).at(0).candidates.at(0);
    return std::pair(each, each.checks.at(0));
  };
  const auto [shown, first] = line(1e9);
  ASSERT_TRUE(first.value);
  ASSERT_LT(first.value->low, first.value->high);
  EXPECT_DOUBLE_EQ(*shown.memory_bytes, first.value->high);
  EXPECT_EQ(line(first.value->high).second.state, "met");
  EXPECT_EQ(line(first.value->low * 0.99).second.state, "not met");
  const auto [open, inside] = line((first.value->low + first.value->high) / 2);
  EXPECT_EQ(inside.state, "undecided");
  EXPECT_EQ(open.verdict, "cannot tell");
}

// Measured along n with 4 threads, where a line fits exactly, and along threads at n=16, where none does: the
// two cross at n=16 threads=4, which was not measured.
TEST(WhatIf, WhereSweepsCrossAVariantIsListedOnce) {
  std::vector<Figure> figures;
  for (const int n : {8, 32, 64})
    figures = joined(figures, contest("n=" + std::to_string(n) + " threads=4", {{"base", 10.0 * n}}, 0));
  for (const auto& [p, ns] : {std::pair{1, 700.0}, {2, 300.0}, {8, 110.0}})
    figures = joined(figures, contest("n=16 threads=" + std::to_string(p), {{"base", ns}}, 0));
  using Size = std::vector<std::pair<std::string, std::int64_t>>;
  for (const Size& size : {Size{{"n", 16}, {"threads", 4}}, Size{{"threads", 4}, {"n", 16}}}) {
    const auto options = what_if(figures, {.size = size});
    ASSERT_EQ(options.size(), 1u);
    ASSERT_EQ(options[0].candidates.size(), 1u);
    EXPECT_NEAR(options[0].candidates[0].time_ns->value, 160, 1e-6) << "the sweep that fits better";
  }
}

TEST(WhatIf, AMeasuredSizeIsNotModelled) {
  const auto options = what_if(sweep(), {.size = {{"n", 8}}});
  ASSERT_EQ(options.size(), 1u);
  EXPECT_FALSE(options[0].candidates.at(0).modelled);
  EXPECT_EQ(what_if(sweep(), {.size = {{"threads", 1}}}).size(), 3u)
      << "every n was measured with one thread";
}

TEST(WhatIf, BeyondTheSweepItRefuses) {
  for (const auto& [n, needs] :
       {std::pair{1, "a measured size of at most 1"}, std::pair{33, "a measured size of at least 33"}}) {
    const auto options = what_if(sweep(), {.latency_ns = 1e9, .size = {{"n", n}}});
    ASSERT_EQ(options.size(), 1u);
    for (const Candidate& each : options[0].candidates) {
      EXPECT_EQ(each.verdict, "cannot tell");
      EXPECT_EQ(each.needs, needs);
      EXPECT_FALSE(each.time_ns);
    }
  }
  EXPECT_TRUE(what_if(sweep(), {.size = {{"rows", 4}}}).empty()) << "nobody has such a parameter";
  EXPECT_TRUE(what_if(sweep(), {.size = {{"n", 16}, {"threads", 2}}}).empty()) << "no sweep goes through it";
  EXPECT_TRUE(what_if({}, {}).empty());
}

TEST(WhatIf, TheErrorAtAnUnmeasuredSizeIsNotKnown) {
  const auto answers = what_if(sweep(), {.max_error = 1, .size = {{"n", 16}}});
  ASSERT_FALSE(answers.at(0).candidates.empty());
  for (const Candidate& each : answers[0].candidates) EXPECT_EQ(each.verdict, "cannot tell");
}

}  // namespace
}  // namespace aisp::analysis
