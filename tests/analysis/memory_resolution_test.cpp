// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/memory_resolution.h"

#include <gtest/gtest.h>

#include "aisp/analysis/pareto.h"
#include "aisp/analysis/tradeoffs.h"
#include "aisp/analysis/whatif.h"
#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

using Names = std::vector<std::string>;
constexpr double kKiB = 1024;

/// base 100 ns and other, with their peaks of memory.
std::vector<Figure> two(const std::string& device, double other_ns, double base_bytes, double other_bytes) {
  auto figures = contest("n=1", {{"base", 100}, {"other", other_ns}});
  for (Figure& figure : figures) figure.device = device;
  figures[0].peak_bytes = base_bytes;
  figures[1].peak_bytes = other_bytes;
  return figures;
}

Front front_of(const std::vector<Figure>& figures) {
  return pareto(contests(figures).at(0), {Respect::time, Respect::memory});
}

Names on_front(const std::vector<Figure>& figures) {
  Names names;
  for (const FrontMember& member : front_of(figures).members)
    if (member.on_front()) names.push_back(member.variant);
  return names;
}

TEST(MemoryResolution, IsOfWhatPagesTellOnACpuAndExactOnAGpu) {
  EXPECT_TRUE(same_memory(8 * kKiB, 100 * kKiB, "cpu"));
  EXPECT_TRUE(same_memory(0, kNoMemory, "cpu"));
  EXPECT_FALSE(same_memory(0, kNoMemory + 1, "cpu"));
  EXPECT_TRUE(less_memory(0, kNoMemory + 1, "cpu"));
  EXPECT_FALSE(less_memory(kNoMemory + 1, 0, "cpu"));
  EXPECT_TRUE(same_memory(1e9, 1.05e9, "cpu")) << "of much, a share";
  EXPECT_TRUE(less_memory(1e9, 1.07e9, "cpu"));
  EXPECT_FALSE(same_memory(8, 9, "cuda:0"));
  EXPECT_EQ(aisp::memory_of(8 * kKiB, "cpu").low, 0);
  EXPECT_EQ(aisp::memory_of(8 * kKiB, "cpu").high, 8 * kKiB + kPageNoise);
  EXPECT_EQ(aisp::memory_of(8, "cuda:0").high, 8);
}

// 8 and 100 KiB of a CPU are one: they keep no slower variant on the front and beat no equally fast one.
TEST(MemoryResolution, PagesDecideNoFront) {
  EXPECT_EQ(on_front(two("cpu", 50, 8 * kKiB, 100 * kKiB)), (Names{"other"})) << "as small, and faster";
  EXPECT_EQ(on_front(two("cpu", 100.5, 8 * kKiB, 100 * kKiB)), (Names{"base", "other"}));
  EXPECT_EQ(front_of(two("cpu", 50, 8 * kKiB, 100 * kKiB)).members.at(0).peak_bytes, 100 * kKiB)
      << "shown as recorded";
  EXPECT_EQ(on_front(two("cpu", 50, 8 * kKiB, 300 * kKiB)), (Names{"other", "base"})) << "a trade";
  EXPECT_EQ(on_front(two("cpu", 100.5, 8 * kKiB, 300 * kKiB)), (Names{"base"}));
  EXPECT_EQ(on_front(two("cuda:0", 50, 8 * kKiB, 100 * kKiB)), (Names{"other", "base"}));
  EXPECT_EQ(on_front(two("cuda:0", 100.5, 8 * kKiB, 100 * kKiB)), (Names{"base"}));
}

/// other, base and a third that keeps both on the front by its error.
std::optional<double> step_from_other(const std::string& device, double base_bytes, double other_bytes) {
  auto figures = two(device, 50, base_bytes, other_bytes);
  figures[0].worst_error = 0.1;
  figures[1].worst_error = 0.2;
  return exchanges(pareto(contests(figures).at(0), {Respect::time, Respect::error})).at(0).memory;
}

TEST(MemoryResolution, PagesAreNoSavingOfAStep) {
  EXPECT_EQ(step_from_other("cpu", 8 * kKiB, 100 * kKiB), 1);
  EXPECT_EQ(step_from_other("cpu", 1024 * kKiB, 4096 * kKiB), 0.25);
  EXPECT_EQ(step_from_other("cuda:0", 8 * kKiB, 32 * kKiB), 0.25);
}

// No run of this program counts the energy of a CPU, a store may. Each takes surely less energy than the next
// or, from d on, surely less memory, and is within the next one's interval in the other, x's energy being
// vague: if intervals made both equal, each would be beaten and nobody would be on the front.
TEST(MemoryResolution, EnergiesBesideItMakeNoCircle) {
  auto figures = contest("n=1", {{"a", 100}, {"b", 100}, {"c", 100}, {"d", 100}, {"x", 100}});
  const double joules[] = {1, 2, 3, 4, 2.5}, peaks[] = {1560, 1370, 1180, 1000, 1280};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    figures[i].device = "cpu";
    figures[i].joules = joules[i];
    figures[i].joules_uncertainty = figures[i].variant == "x" ? 0.9 : 0.01;
    figures[i].peak_bytes = peaks[i] * kKiB;
  }
  const Front front = pareto(contests(figures).at(0), {Respect::energy, Respect::memory});
  ASSERT_EQ(front.members.size(), 5u);
  EXPECT_TRUE(front.members.front().on_front());
}

// 1,000 KiB of tensors and 100 KiB of pages.
TEST(MemoryResolution, ALimitThatPagesCannotDecideIsUndecided) {
  const auto told = [](const std::string& device, double limit_kib) {
    auto figures = two(device, 50, 100 * kKiB, 100 * kKiB);
    for (Figure& figure : figures) figure.bytes = 1000 * kKiB;
    return what_if(figures, {.memory_bytes = limit_kib * kKiB}).at(0).candidates.at(0);
  };
  EXPECT_EQ(told("cpu", 1228).verdict, "meets");
  EXPECT_EQ(told("cpu", 1227).verdict, "cannot tell");
  EXPECT_EQ(told("cpu", 1000).verdict, "cannot tell") << "nothing held beside the tensors";
  EXPECT_EQ(told("cpu", 999).verdict, "fails") << "the tensors alone are more";
  EXPECT_EQ(told("cpu", 1200).needs, "a limit further from its memory, which is counted in pages");
  EXPECT_EQ(told("cpu", 1200).memory_bytes, 1100 * kKiB) << "shown as recorded";
  EXPECT_EQ(told("cuda:0", 1100).verdict, "meets");
  EXPECT_EQ(told("cuda:0", 1099).verdict, "fails");
}

}  // namespace
}  // namespace aisp::analysis
