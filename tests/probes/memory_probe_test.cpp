// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/memory_probe.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <vector>

namespace aisp::probes {
namespace {

constexpr double kMiB = 1 << 20;

/// Sanitizers keep shadow memory for every byte the program touches, and hold freed memory back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_WITH_SHADOW_MEMORY() GTEST_SKIP() << "resident memory is not the program's alone"
#else
#define SKIP_WITH_SHADOW_MEMORY() void(0)
#endif

TEST(MemoryProbe, a_vector_held_shows_in_peak_and_current) {
  SKIP_WHEN_SANITIZED("its shadow of the vector counts too");
  SKIP_WITH_SHADOW_MEMORY();
  MemoryProbe probe;
  probe.before();
  std::vector<char> held(64 << 20, 1);
  const MemoryFigures figures = probe.after();
  ASSERT_TRUE(figures.current_bytes.has_value());
  EXPECT_NEAR(*figures.current_bytes, 64 * kMiB, 2 * kMiB);
  EXPECT_GE(figures.reserved_bytes.value(), 63 * kMiB);
  if (figures.peak_bytes) {
    EXPECT_NEAR(*figures.peak_bytes, 64 * kMiB, 2 * kMiB);
  }
  EXPECT_EQ(held.back(), 1);
  EXPECT_FALSE(figures.savings_percent.has_value());
}

TEST(MemoryProbe, memory_given_back_shows_in_the_peak_alone) {
  SKIP_WHEN_SANITIZED("freed memory is kept for a while");
  SKIP_WITH_SHADOW_MEMORY();
  MemoryProbe probe;
  probe.before();
  {
    std::vector<char> passing(48 << 20, 1);
    ASSERT_EQ(passing.back(), 1);
  }
  const MemoryFigures figures = probe.after();
  if (!figures.peak_bytes) GTEST_SKIP() << "this kernel cannot reset the peak";
  EXPECT_NEAR(*figures.peak_bytes, 48 * kMiB, 2 * kMiB);
  EXPECT_LT(figures.current_bytes.value(), 4 * kMiB);
}

TEST(MemoryProbe, an_earlier_peak_is_forgotten) {
  SKIP_WITH_SHADOW_MEMORY();
  {
    const std::vector<char> earlier(96 << 20, 1);
  }
  MemoryProbe probe;
  probe.before();
  const std::vector<char> now(8 << 20, 1);
  const MemoryFigures figures = probe.after();
  if (!figures.peak_bytes) GTEST_SKIP() << "this kernel cannot reset the peak";
  EXPECT_LT(*figures.peak_bytes, 12 * kMiB);
}

TEST(MemoryProbe, memory_only_reserved_is_not_resident) {
  SKIP_WITH_SHADOW_MEMORY();
  MemoryProbe probe;
  probe.before();
  void* reserved = mmap(nullptr, 256 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(reserved, MAP_FAILED);
  const MemoryFigures figures = probe.after();
  EXPECT_GE(figures.reserved_bytes.value(), 255 * kMiB);
  EXPECT_LT(figures.current_bytes.value(), 4 * kMiB);
  munmap(reserved, 256 << 20);
}

}  // namespace
}  // namespace aisp::probes
