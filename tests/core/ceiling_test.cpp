// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/ceiling.h"

#include <gtest/gtest.h>

namespace aisp {
namespace {

Ceiling bandwidth(const char* name, const char* level, int threads, double value, double set) {
  return {.name = name,
          .level = level,
          .threads = threads,
          .value = value,
          .unit = "B/s",
          .probe = "probe",
          .working_set_bytes = set};
}

Ceilings machine() {
  Ceilings c;
  c.entries = {bandwidth("read", "L1", 1, 100e9, 1e4),  bandwidth("write", "L1", 1, 80e9, 1e4),
               bandwidth("read", "memory", 1, 10e9, 0), bandwidth("write", "memory", 1, 20e9, 0),
               bandwidth("copy", "memory", 1, 15e9, 0), bandwidth("read", "memory", 8, 40e9, 0),
               bandwidth("read", "memory", 4, 30e9, 0)};
  for (const int threads : {1, 8})
    c.entries.push_back(
        {.name = "fma", .level = "f32", .threads = threads, .value = 100e9 * threads, .unit = "FLOP/s"});
  c.entries.push_back({.name = "latency", .level = "memory", .threads = 1, .value = 90, .unit = "ns"});
  return c;
}

TEST(FloorOf, prices_bytes_by_the_way_they_go) {
  const Ceilings c = machine();
  const auto ns = [&](Traffic traffic) {
    return floor_of({.bytes = 1e9, .traffic = traffic}, 1e9, 1, c)->ns;
  };
  EXPECT_DOUBLE_EQ(ns(Traffic::read), 1e8);
  EXPECT_DOUBLE_EQ(ns(Traffic::write), 5e7);
  EXPECT_DOUBLE_EQ(ns(Traffic::copy), 1e9 / 15);
  EXPECT_DOUBLE_EQ(ns(Traffic::any), 5e7) << "the fastest of all kinds";
}

TEST(FloorOf, takes_the_smallest_level_that_holds_the_data) {
  const Ceilings c = machine();
  EXPECT_EQ(floor_of({.bytes = 1e4, .traffic = Traffic::read}, 1e4, 1, c)->bound, "read of L1, 1 thread");
  EXPECT_EQ(floor_of({.bytes = 1e4, .traffic = Traffic::read}, 1.1e4, 1, c)->bound,
            "read of memory, 1 thread");
}

TEST(FloorOf, a_kind_that_was_not_measured_is_priced_as_any) {
  Ceilings c = machine();
  std::erase_if(c.entries, [](const Ceiling& entry) { return entry.name == "copy"; });
  EXPECT_EQ(floor_of({.bytes = 1, .traffic = Traffic::copy}, 1e9, 1, c)->bound, "write of memory, 1 thread");
}

TEST(FloorOf, threads_that_were_not_measured_use_the_next_larger_count) {
  const Ceilings c = machine();
  const Work work{.bytes = 1e9, .traffic = Traffic::read};
  EXPECT_EQ(floor_of(work, 1e9, 2, c)->bound, "read of memory, 4 threads");
  EXPECT_EQ(floor_of(work, 1e9, 5, c)->bound, "read of memory, 8 threads");
  EXPECT_EQ(floor_of({.flops = 1}, 0, 2, c)->bound, "fma of f32, 8 threads");
  EXPECT_FALSE(floor_of(work, 1e9, 9, c).has_value()) << "fewer threads bound nothing";
}

TEST(FloorOf, the_slower_of_traffic_and_arithmetic_bounds) {
  const Ceilings c = machine();
  EXPECT_EQ(floor_of({.bytes = 1e9, .flops = 1e9, .traffic = Traffic::read}, 1e9, 1, c)->bound,
            "read of memory, 1 thread");
  EXPECT_EQ(floor_of({.bytes = 1, .flops = 1e9}, 1e9, 1, c)->bound, "fma of f32, 1 thread");
  EXPECT_FALSE(floor_of({.items = 5}, 1e9, 1, c).has_value());
}

TEST(RaiseCeiling, keeps_the_highest_rate_and_who_reached_it) {
  Ceilings c = machine();
  const std::string bound = "read of memory, 1 thread";
  // Two variants of one cell above the ceiling it was measured with: the raises do not multiply.
  EXPECT_TRUE(raise(c, bound, 11e9, "first"));
  EXPECT_TRUE(raise(c, bound, 12e9, "second"));
  EXPECT_FALSE(raise(c, bound, 11.5e9, "third"));
  EXPECT_DOUBLE_EQ(c.find_bound(bound)->value, 12e9);
  EXPECT_EQ(c.find_bound(bound)->probe, "second");
  EXPECT_FALSE(raise(c, "read of nothing, 1 thread", 1e15, "fourth"));
  EXPECT_EQ(c.find_bound("read of nothing, 1 thread"), nullptr);
}

TEST(TrafficName, is_read_back) {
  for (const Traffic traffic : {Traffic::any, Traffic::read, Traffic::write, Traffic::copy})
    EXPECT_EQ(traffic_named(name_of(traffic)), traffic);
  EXPECT_EQ(traffic_named("unheard of"), Traffic::any) << "which bounds everything";
}

TEST(BoundOn, names_threads_on_a_cpu_alone) {
  EXPECT_EQ(bound_on("cpu", "copy of memory, 1 thread"), "copy of memory, 1 thread");
  EXPECT_EQ(bound_on("cuda:0", "copy of memory, 1 thread"), "copy of memory");
  EXPECT_EQ(bound_on("cuda:0", "read of L2, 16 threads"), "read of L2");
  for (const char* other : {"read bandwidth", "", "one, two", "one, threads", "one, 12"})
    EXPECT_EQ(bound_on("cuda:0", other), other) << "there is no number of threads in it";
}

}  // namespace
}  // namespace aisp
