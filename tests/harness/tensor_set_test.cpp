// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/tensor_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "example.h"

namespace aisp::harness {
namespace {

class TensorSetTest : public testing::Test {
 protected:
  TensorSetTest() {
    set.draw(seed, 0, 0);
    set.arm(7);
  }
  float* x() { return set.inputs()[0].as<float>().data; }
  float* y() { return set.outputs()[0].as<float>().data; }
  void answer() {
    for (std::int64_t i = 0; i < kExampleElements; ++i) y()[i] = 2 * x()[i];
  }

  Params params{{"n", kExampleElements}};
  Problem problem = example_problem(params);
  Seed seed = Seed::from_hex("5eed");
  TensorSet set{problem, params, false};
};

TEST_F(TensorSetTest, AnHonestCallLeavesNoDamage) {
  answer();
  const Damage damage = set.inspect();
  EXPECT_FALSE(damage.out_of_bounds);
  EXPECT_FALSE(damage.inputs_changed);
  EXPECT_EQ(damage.poison_left, 0u);
}

TEST_F(TensorSetTest, OutputsStartAsPoisonThatNoAnswerEquals) {
  for (std::int64_t i = 0; i < kExampleElements; ++i) EXPECT_TRUE(std::isnan(y()[i])) << i;
  EXPECT_EQ(set.inspect().poison_left, static_cast<std::uint64_t>(kExampleElements));
}

TEST_F(TensorSetTest, OneElementLeftUnwrittenIsSeen) {
  const float poison = y()[100];
  answer();
  std::memcpy(&y()[100], &poison, sizeof poison);
  EXPECT_EQ(set.inspect().poison_left, 1u);
}

TEST_F(TensorSetTest, PoisonAndGuardsAreNewForEveryCall) {
  std::uint32_t first = 0, second = 0;
  std::memcpy(&first, y(), sizeof first);
  set.arm(8);
  std::memcpy(&second, y(), sizeof second);
  EXPECT_NE(first, second) << "a call cannot put back poison it saw before";
}

TEST_F(TensorSetTest, AChangedInputIsNamed) {
  answer();
  x()[kExampleElements - 1] += 1;
  EXPECT_EQ(set.inspect().inputs_changed, "x");
  x()[kExampleElements - 1] -= 1;
}

TEST_F(TensorSetTest, AWriteJustBehindOrBeforeABufferIsSeen) {
  answer();
  for (float* outside : {y() + kExampleElements, y() - 1, x() + kExampleElements, x() - 1}) {
    float before = 0;
    std::memcpy(&before, outside, sizeof before);
    float other = 1.5F;
    std::memcpy(outside, &other, sizeof other);
    EXPECT_TRUE(set.inspect().out_of_bounds);
    std::memcpy(outside, &before, sizeof before);
    EXPECT_FALSE(set.inspect().out_of_bounds);
  }
}

TEST_F(TensorSetTest, InputsDifferByRoundAndSetAndComeBackForTheSame) {
  std::set<std::uint64_t> seen;
  for (int round = 0; round < 8; ++round) {
    for (int index = 0; index < 4; ++index) {
      set.draw(seed, round, index);
      EXPECT_TRUE(seen.insert(set.input_checksum()).second) << round << " " << index;
    }
  }
  set.draw(seed, 2, 1);
  EXPECT_FALSE(seen.insert(set.input_checksum()).second) << "a revealed seed draws the same inputs again";
}

TEST_F(TensorSetTest, RoundsCycleThroughTheFamilies) {
  const auto largest = [&] {
    float most = 0;
    for (std::int64_t i = 0; i < kExampleElements; ++i) most = std::max(most, std::fabs(x()[i]));
    return most;
  };
  set.draw(seed, 0, 0);
  EXPECT_LE(largest(), 1);
  set.draw(seed, 1, 0);
  EXPECT_GT(largest(), 8) << "the wide-range family";
}

/// Whether the kernel was asked for huge pages at this address.
bool huge_pages_advised(const void* address) {
  std::ifstream smaps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) inside = from <= wanted && wanted < to;
    if (inside && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

TEST(TensorSetPages, LargeTensorsAskForHugePagesUnlessTurnedOff) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "no transparent huge pages";
  const auto advised = [](std::int64_t n, bool huge_pages) {
    const Params params{{"n", n}};
    const Problem problem = example_problem(params);
    const TensorSet set(problem, params, huge_pages);
    return huge_pages_advised(set.inputs()[0].data);
  };
  const auto least = static_cast<std::int64_t>(TensorSet::kHugePagesFrom / sizeof(float));
  EXPECT_TRUE(advised(least, true));
  EXPECT_FALSE(advised(least - 1, true));
  EXPECT_FALSE(advised(least, false));
}

TEST_F(TensorSetTest, TheOutputHashFollowsTheContent) {
  answer();
  const std::uint64_t before = set.output_checksum();
  EXPECT_EQ(set.output_checksum(), before);
  y()[3] += 1;
  EXPECT_NE(set.output_checksum(), before);
}

}  // namespace
}  // namespace aisp::harness
