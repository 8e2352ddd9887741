// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/content_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace aisp::device {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(random_word(1, i));
  return bytes;
}

TEST(ContentSum, AnyChangedBitChangesIt) {
  std::vector<std::byte> bytes = random_bytes(67);
  const std::uint64_t sum = content_sum(bytes.data(), bytes.size());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_NE(content_sum(bytes.data(), bytes.size()), sum) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
  EXPECT_EQ(content_sum(bytes.data(), bytes.size()), sum);
}

TEST(ContentSum, WordsThatChangedPlacesAndBytesThatWereAddedChangeIt) {
  std::vector<std::byte> bytes = random_bytes(64);
  const std::uint64_t sum = content_sum(bytes.data(), 64);
  std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + 8);
  EXPECT_NE(content_sum(bytes.data(), 64), sum);
  const std::vector<std::byte> zeros(16);
  EXPECT_NE(content_sum(zeros.data(), 8), content_sum(zeros.data(), 9));
}

}  // namespace
}  // namespace aisp::device
