// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace aisp::stats {
namespace {

TEST(Distributions, NormalMatchesTheTables) { EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-14); }

TEST(Distributions, ChiSquaredMatchesTheTables) {
  EXPECT_NEAR(chi_squared_upper(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_upper(5.991464547107979, 2), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_upper(7.814727903251179, 3), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_upper(9.487729036781154, 4), 0.05, 1e-12);
  EXPECT_NEAR(chi_squared_upper(11.070497693516351, 5), 0.05, 1e-12);
  EXPECT_EQ(chi_squared_upper(0, 3), 1);
}

TEST(Distributions, StudentMatchesTheTables) {
  EXPECT_NEAR(student_two_sided(12.706204736432095, 1), 0.05, 1e-10);
  EXPECT_NEAR(student_two_sided(4.302652729911275, 2), 0.05, 1e-10);
  EXPECT_NEAR(student_two_sided(3.182446305284263, 3), 0.05, 1e-10);
  EXPECT_NEAR(student_two_sided(2.228138851964939, 10), 0.05, 1e-10);
  EXPECT_NEAR(student_two_sided(1.959963984540054, 100000), 0.05, 1e-5);
  EXPECT_NEAR(student_critical(0.05, 2), 4.302652729911275, 1e-9);
  EXPECT_NEAR(student_critical(0.01, 4), 4.604094871415897, 1e-9);
  EXPECT_EQ(student_two_sided(HUGE_VAL, 3), 0);
}

}  // namespace
}  // namespace aisp::stats
