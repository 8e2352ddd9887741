// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "aisp/core/tensor.h"

namespace aisp {
namespace {

Float8 code(int bits) { return {static_cast<std::uint8_t>(bits)}; }

TEST(Float8, HasTheValuesOfE4m3) {
  EXPECT_EQ(to_float(code(0x00)), 0.0f);
  EXPECT_EQ(to_float(code(0x01)), 0x1p-9f) << "the smallest";
  EXPECT_EQ(to_float(code(0x07)), 0x7p-9f) << "the largest without an exponent";
  EXPECT_EQ(to_float(code(0x08)), 0x1p-6f) << "the smallest with one";
  EXPECT_EQ(to_float(code(0x38)), 1.0f);
  EXPECT_EQ(to_float(code(0xbc)), -1.5f);
  EXPECT_EQ(to_float(code(0x7e)), 448.0f) << "the largest";
  EXPECT_TRUE(std::isnan(to_float(code(0x7f))));
  EXPECT_TRUE(std::isnan(to_float(code(0xff))));
}

TEST(Float8, EveryCodeComesBack) {
  for (int bits = 0; bits < 256; ++bits) EXPECT_EQ(to_float8(to_float(code(bits))).bits, bits);
}

TEST(Float8, RoundsToTheNearestAndTiesToTheEvenOne) {
  for (int bits = 0; bits < 0x7e; ++bits) {
    const float low = to_float(code(bits)), high = to_float(code(bits + 1)), middle = (low + high) / 2;
    ASSERT_LT(low, high);
    EXPECT_EQ(to_float8(std::nextafter(middle, 0.0f)).bits, bits);
    EXPECT_EQ(to_float8(std::nextafter(middle, 1000.0f)).bits, bits + 1);
    EXPECT_EQ(to_float8(middle).bits % 2, 0) << middle;
    EXPECT_EQ(to_float8(-std::nextafter(middle, 0.0f)).bits, bits | 0x80);
  }
}

TEST(Float8, WhatIsTooLargeBecomesTheLargestAndNanStaysNan) {
  for (const float large : {448.0f, 460.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(to_float8(large).bits, 0x7e);
    EXPECT_EQ(to_float8(-large).bits, 0xfe);
  }
  EXPECT_TRUE(std::isnan(to_float(to_float8(std::numeric_limits<float>::quiet_NaN()))));
}

TEST(Float8, IsATypeOfTensors) {
  EXPECT_EQ(name_of(DType::f8e4m3), "f8e4m3");
  EXPECT_EQ(size_of(DType::f8e4m3), 1u);
  EXPECT_TRUE(is_floating(DType::f8e4m3));
  // Half of the distance from 1 to the next value.
  EXPECT_EQ(unit_roundoff(DType::f8e4m3), (to_float(code(0x39)) - 1) / 2);
  std::vector<std::byte> bytes(3);
  const Extents shape{3};
  const TensorView view{bytes.data(), DTypeOf<Float8>::value, shape, 3};
  for (int i = 0; i < 3; ++i) view.set(i, 0.26 * (i - 1));
  EXPECT_EQ(view.value(0), -0.25);
  EXPECT_EQ(view.value(1), 0.0);
  EXPECT_EQ(view.value(2), 0.25);
}

}  // namespace
}  // namespace aisp
