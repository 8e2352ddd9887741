// SPDX-License-Identifier: Apache-2.0
// Ours against the best of all segmentations. The figures printed here are those of docs/design/history.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "aisp/stats/segments.h"
#include "tests/stats/corpus_score.h"
#include "tests/stats/known_histories.h"
#include "tests/stats/optimal_segments.h"

namespace aisp::stats {
namespace {

struct Searched {
  const char* name;
  double price;
  bool slopes;
  CorpusScore corpus = {};
  Share steady = {};  ///< steady histories with any change
  Share alike = {};   ///< those whose neighbours are correlated by 0.5
};

/// Of each what it finds: first ours, then the best segmentations at several prices.
std::vector<Searched> searched() {
  std::vector<Searched> all{{"ours", 0, true}};
  for (const bool slopes : {false, true})
    for (const double price : {2.0, 2.5, 3.0})
      all.push_back({slopes ? "best, slopes apart" : "best", price, slopes});
  const auto each = [&](const std::vector<double>& values, const auto& tell) {
    const OptimalSegments best(values);
    for (Searched& one : all) {
      if (one.price == 0) {
        tell(one, segments(values, {}).changes);
        continue;
      }
      const std::vector<ChangePoint> changes = best.changes(one.price);
      tell(one, one.slopes ? steps_and_slopes(values, changes).changes : changes);
    }
  };
  using Found = std::vector<ChangePoint>;
  for (const KnownHistory& history : kept_corpus())
    each(history.log_values, [&](Searched& one, const Found& found) { count(history, found, one.corpus); });
  for (std::uint64_t i = 0; i < 1000; ++i)
    each(draw_steady(i).log_values,
         [](Searched& one, const Found& found) { one.steady.count(!found.empty()); });
  for (std::uint64_t i = 0; i < 400; ++i)
    each(draw_alike(i, 0.5).log_values,
         [](Searched& one, const Found& found) { one.alike.count(!found.empty()); });
  return all;
}

void print(const Searched& one) {
  const auto tell = [](const char* what, const Share& share) {
    std::printf("  %s %d of %d (%.1f %%)", what, share.hits, share.all, share.percent());
  };
  std::printf("%-18s %3.1f", one.name, one.price);
  tell("recall", one.corpus.steps());
  tell("of small", one.corpus.small);
  tell("precision", one.corpus.right);
  std::printf(", %d on slopes", one.corpus.on_slopes);
  tell("steady", one.steady);
  tell("alike", one.alike);
  std::printf("\n");
}

/// Two standard errors of the difference of two shares, in percent.
double within_chance(const Share& a, const Share& b) {
  const auto variance = [](const Share& share) {
    const double p = (share.hits + 1.0) / (share.all + 2.0);
    return p * (1 - p) / share.all;
  };
  return 200 * std::sqrt(variance(a) + variance(b));
}

TEST(OptimalSegments, AreWhatTryingAllPlacesFinds) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    std::vector<double> values = draw_steady(i).log_values;
    values.resize(20);
    for (std::size_t k = 12; k < 20; ++k) values[k] += 1;
    const auto distance = [&](std::size_t begin, std::size_t end) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t level = begin; level < end; ++level) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) sum += std::abs(values[k] - values[level]);
        least = std::min(least, sum);
      }
      return least;
    };
    std::size_t best = 8;
    for (std::size_t at = 8; at <= 12; ++at)
      if (distance(0, at) + distance(at, 20) < distance(0, best) + distance(best, 20)) best = at;
    const auto found = OptimalSegments(values, 8).changes(1);  // eight: room for one change alone
    ASSERT_EQ(found.size(), 1u) << i;
    EXPECT_EQ(found[0].at, best) << i;
  }
}

TEST(OptimalSegments, ALevelThatWasLeftAndTakenUpAgainHasTwo) {
  std::vector<double> values;
  for (int i = 0; i < 58; ++i) values.push_back((i >= 25 && i < 33 ? 1.2 : 1.0) + 0.001 * (i * 7 % 5));
  const auto found = OptimalSegments(values).changes(2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at, 25u);
  EXPECT_EQ(found[1].at, 33u);
  EXPECT_TRUE(OptimalSegments(std::vector<double>(40, 3.0)).changes(2).empty()) << "all alike";
  EXPECT_TRUE(OptimalSegments(std::vector<double>(4, 3.0)).changes(2).empty()) << "too few";
}

// Whoever finds as many steps may be neither more precise nor leave more steady histories alone, and whoever
// is as precise may not find more; all but for chance. And nobody here may leave more histories alone whose
// neighbours are alike, which is what the shuffles are for.
TEST(OptimalSegments, AreNotBetterThanOurs) {
  const std::vector<Searched> all = searched();
  const Searched& ours = all.front();
  print(ours);
  const auto no_more = [](const Share& a, const Share& b) {
    return a.percent() <= b.percent() + within_chance(a, b);
  };
  double most = 0;
  for (const Searched& other : std::span(all).subspan(1)) {
    print(other);
    SCOPED_TRACE(other.name + std::string(" ") + std::to_string(other.price));
    const Share found = ours.corpus.steps(), others = other.corpus.steps();
    most = std::max(most, others.percent());
    if (no_more(found, others)) {
      EXPECT_TRUE(no_more(other.corpus.right, ours.corpus.right));
      EXPECT_TRUE(no_more(ours.steady, other.steady));
    }
    if (no_more(ours.corpus.right, other.corpus.right)) {
      EXPECT_TRUE(no_more(others, found));
    }
    EXPECT_LT(ours.alike.hits, other.alike.hits);
  }
  EXPECT_GT(most, ours.corpus.steps().percent()) << "or it is a straw man that ours is held against";
}

}  // namespace
}  // namespace aisp::stats
