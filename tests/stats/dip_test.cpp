// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/dip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "aisp/core/rng.h"

namespace aisp::stats {
namespace {

// The definition itself, for small samples: is there a distribution function with one mode within d of the
// sample's, and for which smallest d? For a mode at value k the left part is convex within its band, and the
// best that it can do is to end low; by reflection the right part is the same problem.
double lowest_end(const std::vector<double>& x, double d, double share) {
  const std::size_t last = x.size() - 1;
  const auto feasible = [&](double end) {
    std::vector<double> top(x.size(), end);
    for (std::size_t i = 0; i < last; ++i) top[i] = std::min(end, static_cast<double>(i) * share + d);
    for (std::size_t j = 0; j < last; ++j) {
      double highest_convex = top[j];
      for (std::size_t i = 0; i < j; ++i) {
        for (std::size_t l = j + 1; l <= last; ++l) {
          highest_convex = std::min(highest_convex, std::lerp(top[i], top[l], (x[j] - x[i]) / (x[l] - x[i])));
        }
      }
      if (highest_convex < static_cast<double>(j + 1) * share - d - 1e-13) return false;
    }
    return true;
  };
  double low = std::max(0.0, static_cast<double>(last) * share - d),
         high = static_cast<double>(last) * share + d;
  if (!feasible(high)) return 2;
  for (int i = 0; i < 45; ++i) {
    const double middle = 0.5 * (low + high);
    (feasible(middle) ? high : low) = middle;
  }
  return high;
}

double dip_by_definition(const std::vector<double>& x) {
  const double share = 1.0 / static_cast<double>(x.size());
  std::vector<double> mirrored;
  for (auto v = x.rbegin(); v != x.rend(); ++v) mirrored.push_back(-*v);
  const auto possible = [&](double d) {
    for (std::ptrdiff_t k = 0; k < std::ssize(x); ++k) {
      const double left = lowest_end({x.begin(), x.begin() + k + 1}, d, share);
      const double right = lowest_end({mirrored.begin(), mirrored.end() - k}, d, share);
      if (left + right <= 1 + 1e-12) return true;
    }
    return false;
  };
  double low = 0.5 * share - 1e-9, high = 0.5;
  for (int i = 0; i < 35; ++i) {
    const double middle = 0.5 * (low + high);
    (possible(middle) ? high : low) = middle;
  }
  return high;
}

TEST(Dip, IsWhatItsDefinitionSays) {
  Rng rng(7);
  for (int i = 0; i < 150; ++i) {
    std::vector<double> x;
    const int n = 3 + static_cast<int>(rng.below(7));
    for (int k = 0; k < n; ++k) x.push_back(i % 2 == 0 || rng.unit() < 0.5 ? rng.unit() : 3 + rng.unit());
    std::sort(x.begin(), x.end());
    EXPECT_NEAR(dip(x), dip_by_definition(x), 1e-8) << "sample " << i << " of " << n;
  }
}

TEST(Dip, KnownValues) {
  std::vector<double> even, spikes;
  for (int i = 0; i < 50; ++i) even.push_back(i);
  for (int i = 0; i < 50; ++i) spikes.push_back((i < 25 ? 0 : 1) + 1e-9 * i);
  EXPECT_NEAR(dip(even), 0.01, 1e-12);
  EXPECT_NEAR(dip(spikes), 0.25, 0.011);
  EXPECT_EQ(dip({}), 0);
  EXPECT_EQ(dip(std::vector<double>{1}), 0);
  EXPECT_DOUBLE_EQ(dip(std::vector<double>(10, 3.0)), 0.05);
}

TEST(Dip, PValuesAreUniformUnderTheUniform) {
  Rng rng(9);
  for (int n : {12, 40, 150}) {
    int below_05 = 0, below_01 = 0;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> x;
      for (int k = 0; k < n; ++k) x.push_back(rng.unit());
      std::sort(x.begin(), x.end());
      const double p = dip_p_value(dip(x), n);
      below_05 += p < 0.05;
      below_01 += p < 0.01;
    }
    EXPECT_NEAR(below_05 / 4000.0, 0.05, 0.012) << n;
    EXPECT_NEAR(below_01 / 4000.0, 0.01, 0.006) << n;
  }
}

TEST(Dip, PValueFallsWithTheDipAndStaysInItsTable) {
  double last = 1;
  for (double d = 0.001; d < 0.25; d += 0.001) {
    const double p = dip_p_value(d, 73);
    EXPECT_LE(p, last);
    EXPECT_GE(p, 0.001);
    last = p;
  }
  EXPECT_EQ(last, 0.001);
  EXPECT_EQ(dip_p_value(0.2, 9), 1);
  EXPECT_EQ(dip_p_value(std::nan(""), 100), 1);
  EXPECT_EQ(dip_p_value(0.2, 100000), 0.001);
}

}  // namespace
}  // namespace aisp::stats
