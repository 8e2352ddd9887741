// SPDX-License-Identifier: Apache-2.0
// Division by multiplication gives every quotient: around multiples of the divisor, where it would go wrong
// first, and at both ends of its range.
#include "workloads/ch08_occupancy_ilp/fast_division.h"

#include <gtest/gtest.h>

#include <vector>

#include "aisp/core/rng.h"

namespace aisp {
namespace {

constexpr std::uint32_t kMost = (1u << 31) - 1;

void expect_right(std::uint32_t divisor, std::uint32_t i) {
  const FastDivision by(divisor);
  ASSERT_EQ(by.quotient(i), i / divisor) << i << " by " << divisor;
  ASSERT_EQ(by.remainder(i), i % divisor) << i << " by " << divisor;
}

void expect_right_around_multiples(std::uint32_t divisor, Rng& rng) {
  for (const std::uint32_t i : {0u, 1u, divisor - 1, divisor, divisor + 1, kMost - 1, kMost})
    expect_right(divisor, i);
  for (int t = 0; t < 200; ++t) {
    const std::uint32_t multiple = static_cast<std::uint32_t>(rng.below(kMost / divisor + 1)) * divisor;
    if (multiple > 0) expect_right(divisor, multiple - 1);
    expect_right(divisor, multiple);
  }
}

TEST(FastDivision, SmallDivisors) {
  Rng rng(1);
  for (std::uint32_t divisor = 1; divisor <= 3000; ++divisor) expect_right_around_multiples(divisor, rng);
}

TEST(FastDivision, DivisorsAroundPowersOfTwo) {
  Rng rng(2);
  for (int bit = 2; bit < 31; ++bit) {
    const std::uint32_t power = 1u << bit;
    for (const std::uint32_t divisor : {power - 1, power, power + 1})
      expect_right_around_multiples(divisor, rng);
  }
}

TEST(FastDivision, RandomDivisors) {
  Rng rng(3);
  for (int t = 0; t < 3000; ++t)
    expect_right_around_multiples(static_cast<std::uint32_t>(1 + rng.below(kMost)), rng);
}

}  // namespace
}  // namespace aisp
