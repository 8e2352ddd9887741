// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/cache_flush.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "aisp/device/clock.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/device/cpu/topology.h"

namespace aisp::device {
namespace {

/// Time to follow every line of the buffer in an order no prefetcher follows; the best of a few.
template <class Before>
double chase_ns(const Buffer& buffer, Before before) {
  const Clock& clock = Clock::instance();
  const std::size_t lines = buffer.size() / 64;
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    before();
    const double start = clock.now_ns();
    std::size_t at = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      at = (at + 389 + static_cast<std::size_t>(buffer.data()[at * 64])) % lines;  // every byte is zero
    }
    const double ns = clock.now_ns() - start;
    asm volatile("" : : "r"(at));
    best = std::min(best, ns);
  }
  return best;
}

TEST(CacheFlusher, reads_four_last_level_caches_unless_told) {
  CacheFlusher small(1 << 20);
  EXPECT_EQ(small.bytes(), 1u << 20);
  CacheFlusher standard;
  EXPECT_LE(standard.bytes(), 4 * last_level_cache_bytes());
  EXPECT_GT(standard.bytes(), 0u);
}

TEST(CacheFlusher, a_flushed_buffer_is_slower_to_read_than_a_touched_one) {
  CacheFlusher flusher;
  if (flusher.bytes() < 2 * last_level_cache_bytes()) GTEST_SKIP() << "too little memory for a full flush";
  Buffer buffer(128 * 1024);
  const std::span<const std::byte> memory(buffer.data(), buffer.size());
  const double hot = chase_ns(buffer, [&] { CacheFlusher::touch(memory); });
  const double cold = chase_ns(buffer, [&] { flusher.flush(); });
  EXPECT_GT(cold, 1.5 * hot);
  PinnedTeam team(2);
  const double cold_by_team = chase_ns(buffer, [&] { flusher.flush(team); });
  EXPECT_GT(cold_by_team, 1.5 * hot);
}

TEST(CacheFlusher, touch_accepts_any_span) {
  std::vector<std::byte> bytes(131);
  CacheFlusher::touch({bytes.data() + 1, 130});
  CacheFlusher::touch({});
}

}  // namespace
}  // namespace aisp::device
