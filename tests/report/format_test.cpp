// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace aisp::report {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

TEST(Format, TimesTakeTheUnitThatKeepsOneToThreeDigits) {
  EXPECT_EQ(format_time(0), "0.00 ns");
  EXPECT_EQ(format_time(0.42), "0.420 ns");
  EXPECT_EQ(format_time(789), "789 ns");
  EXPECT_EQ(format_time(999.7), "1.00 µs");
  EXPECT_EQ(format_time(1234.5), "1.23 µs");
  EXPECT_EQ(format_time(4.56e6), "4.56 ms");
  EXPECT_EQ(format_time(1.2e10), "12.0 s");
}

TEST(Format, DigitsFollowTheInterval) {
  EXPECT_EQ(format_interval({4.5612e6, 4.523e6, 4.612e6}), "4.56 ms [4.52, 4.61]");
  EXPECT_EQ(format_interval({4.5612e6, 4.5602e6, 4.5622e6}), "4.561 ms [4.560, 4.562]");
  EXPECT_EQ(format_interval({456.1e3, 395e3, 522e3}), "460 µs [400, 520]");
  EXPECT_EQ(format_time(Estimate{4.5612e6, 4.1e6, 5.1e6}), "4.6 ms");
  EXPECT_EQ(format_spread({100e3, 96e3, 103e3}), "100 µs ±4.0%");
  EXPECT_EQ(format_spread({100e3, 92e3, 107e3}), "100 µs ±8.0%");
}

TEST(Format, IntervalsWithoutEndsAreNotInvented) {
  EXPECT_EQ(format_interval({5e3, 5e3, 5e3}), "5.00 µs");
  EXPECT_EQ(format_interval({5e3, kNan, kInf}), "5.00 µs (no interval)");
  EXPECT_EQ(format_interval({5e3, 0, kInf}), "5.00 µs (no interval)");
  EXPECT_EQ(format_interval({5e3, 4e3, kInf}), "5.0 µs [4.0, ?]");
  EXPECT_EQ(format_spread({5e3, 4e3, kInf}), "5.0 µs [4.0, ?]");
}

TEST(Format, APlusMinusIsForIntervalsThatReachAboutAsFarUpAsDown) {
  EXPECT_EQ(format_spread({1.26e6, 1.17e6, 4.34e6}), "1.26 ms [1.17, 4.34]");
  EXPECT_EQ(format_spread({100e3, 92e3, 103e3}), "100 µs [92, 103]");
  EXPECT_EQ(format_spread({18e6, 10e6, 65e6}), "18 ms [10, 65]");
  EXPECT_EQ(format_spread({10e3, 0, 19e3}), "10 µs [0, 19]") << "±100 % would reach zero";
  EXPECT_EQ(format_spread({5e3, 5e3, 5e3}), "5.00 µs");
}

TEST(Format, Ratios) {
  RatioEstimate ratio{.ratio = 1.523, .low = 1.491, .high = 1.552};
  EXPECT_EQ(format_ratio(ratio), "1.52x [1.49, 1.55]");
  EXPECT_EQ(format_ratio_value(ratio), "1.52x");
  ratio = {.ratio = 1.00231, .low = 1.00121, .high = 1.00341};
  EXPECT_EQ(format_ratio(ratio), "1.0023x [1.0012, 1.0034]");
  ratio = {.ratio = 1.5, .low = 0.004, .high = 9};
  EXPECT_EQ(format_ratio(ratio).find("[0.0,"), std::string::npos) << "a positive end is not printed as zero";
}

TEST(Format, NeverPrintsInfinityOrNan) {
  for (const double bad : {kInf, -kInf, kNan}) {
    EXPECT_EQ(format_time(bad), kUnknownText);
    EXPECT_EQ(format_ratio(bad), kUnknownText);
    EXPECT_EQ(format_bytes(bad), kUnknownText);
    EXPECT_EQ(format_rate(bad, "B"), kUnknownText);
    EXPECT_EQ(format_percent(bad), kUnknownText);
    EXPECT_EQ(format_number(bad), kUnknownText);
    EXPECT_EQ(format_interval({bad, bad, bad}), kUnknownText);
    EXPECT_EQ(format_ratio(RatioEstimate{.ratio = bad, .low = bad, .high = bad}), kUnknownText);
  }
  EXPECT_EQ(format_ratio(0), kUnknownText);
  EXPECT_EQ(format_ratio(-2), kUnknownText);
  EXPECT_EQ(format_time(-1), kUnknownText);
}

TEST(Format, BytesAreIecRatesAreSi) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(65536), "64.0 KiB");
  EXPECT_EQ(format_bytes(1.5 * 0x1p30), "1.50 GiB");
  EXPECT_EQ(format_rate(12.34e9, "B"), "12.3 GB/s");
  EXPECT_EQ(format_rate(187e9, "FLOP"), "187 GFLOP/s");
  EXPECT_EQ(format_rate(1200, ""), "1.20 k/s");
  EXPECT_EQ(format_figure({1200, 1150, 1250}, Goal::throughput, Detail::interval), "1.20 k/s [1.15, 1.25]");
}

TEST(Format, Percentages) {
  EXPECT_EQ(format_percent(87.3), "87%");
  EXPECT_EQ(format_percent(8.74), "8.7%");
  EXPECT_EQ(format_percent(0.421), "0.42%");
  EXPECT_EQ(format_percent(104.4), "104%");
  EXPECT_EQ(format_percent(0), "0%");
  EXPECT_EQ(format_percent(1e-7), "<0.01%");
  EXPECT_EQ(format_percent(1e9), ">9999%");
}

}  // namespace
}  // namespace aisp::report
