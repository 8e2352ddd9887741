// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "aisp/device/buffer.h"
#include "aisp/device/cpu/affinity.h"
#include "aisp/device/cpu/bandwidth_probes.h"
#include "aisp/device/cpu/latency_probe.h"
#include "aisp/device/cpu/peak_bench.h"
#include "aisp/device/cpu/peak_candidates.h"
#include "aisp/device/cpu/topology.h"

namespace aisp::device {
namespace {

/// Whether each level nearer to the core is about as fast as the next one, or faster.
bool levels_in_order(const Ceilings& ceilings, const std::string& name) {
  const Ceiling* nearer = nullptr;
  for (const Ceiling& c : ceilings.entries) {
    if (c.name != name || c.threads != 1) continue;
    if (nearer != nullptr && nearer->value < 0.9 * c.value) return false;
    nearer = &c;
  }
  return nearer != nullptr;
}

TEST(Peak, nearer_levels_are_not_slower) {
  // Measured as it comes, without the step that would make it so. Other work on the machine may spoil a try.
  bool ordered = false;
  for (int attempt = 0; attempt < 4 && !ordered; ++attempt)
    ordered = levels_in_order(
        measure_ceilings(
            {.seconds = 0.3, .threads = {1}, .latency = false, .arithmetic = false, .consistent = false}),
        "read");
  EXPECT_TRUE(ordered);
}

TEST(Peak, names_every_ceiling_once_and_its_probe) {
  const int cores = std::min(2, allowed_cores());
  std::vector<double> steps;
  const Ceilings ceilings =
      measure_ceilings({.seconds = 0.2, .threads = {1, cores}, .memory_bytes = std::size_t{24} << 20},
                       [&](double done, const std::string&) { steps.push_back(done); });
  EXPECT_EQ(ceilings.hardware, hardware_key());
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.back(), 1);
  for (const Ceiling& c : ceilings.entries) {
    EXPECT_GT(c.value, 0) << c.name << " " << c.level;
    EXPECT_FALSE(c.probe.empty()) << c.name << " " << c.level;
    EXPECT_EQ(ceilings.find(c.name, c.level, c.threads)->probe, c.probe);
  }
  for (const int threads : {1, cores}) {
    for (const char* name : {"read", "write", "copy", "triad"})
      EXPECT_NE(ceilings.find(name, "memory", threads), nullptr) << name;
    for (const char* type : {"f32", "f64"}) EXPECT_NE(ceilings.find("fma", type, threads), nullptr) << type;
  }
  EXPECT_NE(ceilings.find("latency", "memory", 1), nullptr);
  for (const Ceiling& c : ceilings.entries) {
    if (c.threads != 1 || c.unit == "ns" || cores == 1) continue;
    const Ceiling* all = ceilings.find(c.name, c.level, cores);
    ASSERT_NE(all, nullptr) << c.name << " " << c.level;
    EXPECT_GE(all->value, c.value);
  }
}

TEST(Peak, capacities_are_those_of_the_caches) {
  const Cache* l1 = topology().cache(1);
  if (l1 == nullptr) GTEST_SKIP() << "no cache is shown";
  const Ceilings ceilings = measure_ceilings({.seconds = 0.01,
                                              .threads = {1},
                                              .memory_bytes = std::size_t{8} << 20,
                                              .latency = false,
                                              .arithmetic = false});
  const Ceiling* read = ceilings.find("read", "L1", 1);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->working_set_bytes, static_cast<double>(l1->bytes));
  EXPECT_EQ(ceilings.find("read", "memory", 1)->working_set_bytes, 0);
}

TEST(Peak, inconsistent_measurements_are_raised_and_say_so) {
  const auto read = [](const char* level, int threads, double value, double set) {
    return Ceiling{.name = "read",
                   .level = level,
                   .threads = threads,
                   .value = value,
                   .unit = "B/s",
                   .probe = level,
                   .working_set_bytes = set};
  };
  Ceilings c;
  c.entries = {read("L1", 1, 100, 10), read("L2", 1, 20, 100), read("memory", 1, 50, 0),
               read("L1", 2, 90, 20), read("memory", 2, 40, 0)};
  c.entries.push_back(
      {.name = "latency", .level = "L1", .threads = 1, .value = 1, .unit = "ns", .working_set_bytes = 10});
  c.entries.push_back({.name = "latency", .level = "memory", .threads = 1, .value = 90, .unit = "ns"});
  make_consistent(c);
  EXPECT_EQ(c.find("read", "L2", 1)->value, 50) << "nearer than memory";
  EXPECT_NE(c.find("read", "L2", 1)->probe.find("memory"), std::string::npos);
  EXPECT_EQ(c.find("read", "memory", 2)->value, 50) << "more threads";
  EXPECT_EQ(c.find("read", "L1", 2)->value, 100);
  EXPECT_EQ(c.find("read", "L1", 1)->value, 100) << "what is already highest stays";
  EXPECT_EQ(c.find("latency", "L1", 1)->value, 1) << "latencies are no rates";
}

TEST(PeakBench, interrupted_pieces_do_not_count) {
  std::vector<double> times{100, 101, 104, 110, 102, 120, 99, 103};
  const double quiet = uninterrupted_mean(times);
  EXPECT_NEAR(quiet, 104.875, 1e-9) << "what memory varies by is part of the rate";
  for (const double waited : {4000.0, 9000.0, 250.0, 3000.0, 8000.0}) times.push_back(waited);
  EXPECT_NEAR(uninterrupted_mean(times), quiet, 1e-9);
  EXPECT_EQ(uninterrupted_mean({7}), 7);
}

/// A candidate whose repeats give these rates in turn.
Candidate programmed(const char* name, bool sustained, std::vector<double> rates) {
  return {.probe = name,
          .measure = [rates, next = std::size_t{0}]() mutable { return rates[next++ % rates.size()]; },
          .sustained = sustained};
}

TEST(PeakCandidates, a_sustained_figure_is_not_the_luckiest_repeat) {
  Candidate lucky = programmed("lucky", true, {10, 90, 11, 10, 12, 10, 11, 10, 11});
  Candidate best = lucky;
  best.sustained = false;
  EXPECT_EQ(lucky.figure(), 0) << "not tried yet";
  for (int i = 0; i < 9; ++i) {
    lucky.try_once();
    best.try_once();
  }
  EXPECT_EQ(lucky.figure(), 11);
  EXPECT_EQ(best.figure(), 90);
}

TEST(PeakCandidates, the_best_probe_wins_and_is_tried_first_the_next_time) {
  Rankings rankings;
  Ceiling ceiling{.name = "read", .level = "memory"};
  settle(ceiling,
         {programmed("slow", true, {1}), programmed("lucky once", true, {1, 9, 1, 1, 1, 1}),
          programmed("steady", true, {5})},
         0.02, rankings);
  EXPECT_EQ(ceiling.probe, "steady");
  EXPECT_EQ(ceiling.value, 5);
  ASSERT_EQ(rankings["read memory"].size(), 3u);
  EXPECT_EQ(rankings["read memory"].front(), 2u);
}

TEST(BandwidthProbes, write_every_byte_and_no_other) {
  constexpr std::size_t bytes = 3 * kProbeBlock;
  for (const Traffic traffic : {Traffic::read, Traffic::write, Traffic::copy, Traffic::triad}) {
    ASSERT_FALSE(bandwidth_probes(traffic).empty());
    for (const BandwidthProbe& probe : bandwidth_probes(traffic)) {
      Buffer a(bytes), b(bytes), c(bytes);
      std::memset(b.data(), 0x3f, bytes);
      std::memset(c.data(), 0, bytes);
      a.poison(DType::u64, 1);
      probe.run({a.data(), b.data(), c.data(), bytes}, 2);
      EXPECT_FALSE(a.broken_guard().has_value()) << name_of(traffic) << " " << probe.name;
      const std::uint64_t left = a.poison_left(DType::u64, 1);
      EXPECT_EQ(left, traffic == Traffic::read ? bytes / 8 : 0) << name_of(traffic) << " " << probe.name;
      if (traffic == Traffic::copy) {
        EXPECT_EQ(std::memcmp(a.data(), b.data(), bytes), 0) << probe.name;
      }
    }
  }
}

TEST(PointerChase, visits_every_line_before_it_returns) {
  Buffer memory(64 * 256);
  PointerChase chase(memory.data(), memory.size());
  EXPECT_EQ(chase.lines(), 256u);
  std::vector<bool> seen(256, false);
  const std::byte* at = memory.data();
  for (int i = 0; i < 256; ++i) {
    const auto line = static_cast<std::size_t>(at - memory.data()) / 64;
    ASSERT_LT(line, seen.size());
    EXPECT_FALSE(seen[line]);
    seen[line] = true;
    std::memcpy(&at, static_cast<const void*>(at), sizeof at);
  }
  EXPECT_EQ(at, memory.data());
  chase.follow(512);
}

}  // namespace
}  // namespace aisp::device
