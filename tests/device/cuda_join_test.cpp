// SPDX-License-Identifier: Apache-2.0
// What the device recorded and what the host asked for, brought together: on made-up records, without CUDA.
#include "aisp/device/cuda/activity_join.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace aisp::cuda {
namespace {

using device::Activity;
using Kind = Activity::Kind;

Activity kernel(std::uint64_t call, double start_ns, double end_ns) {
  return {.kind = Kind::kernel, .name = "kernel", .start_ns = start_ns, .end_ns = end_ns, .call = call};
}
Activity node(std::uint64_t call, double start_ns, double end_ns) {
  Activity activity = kernel(call, start_ns, end_ns);
  activity.in_graph = true;
  return activity;
}
Activity asked(Kind kind, std::uint64_t call, double at_ns) {
  return {.kind = kind, .name = "asked", .start_ns = at_ns, .end_ns = at_ns, .call = call};
}

TEST(CudaJoin, LaunchesWithoutARecordAreCounted) {
  Activity by_device = kernel(3, 10, 20);
  by_device.device_launched = true;
  Activity copy = kernel(4, 10, 20);
  copy.kind = Kind::copy;
  const std::vector<Activity> records{kernel(1, 10, 20), by_device, copy};
  EXPECT_EQ(without_record({{.call = 1}}, records), 0u);
  EXPECT_EQ(without_record({{.call = 1}, {.call = 2}}, records), 1u);
  EXPECT_EQ(without_record({{.call = 3}}, records), 1u) << "what the device launched is no host's launch";
  EXPECT_EQ(without_record({{.call = 4}}, records), 1u) << "nor is a copy a kernel";
}

TEST(CudaJoin, RecordsAndCallsAreInOrderOfTheirBeginning) {
  const auto all =
      joined({kernel(2, 30, 40), kernel(1, 10, 20)}, {.activities = {asked(Kind::host_function, 3, 15)}}, 0);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].call, 1u);
  EXPECT_EQ(all[1].kind, Kind::host_function);
  EXPECT_EQ(all[2].call, 2u);
}

TEST(CudaJoin, TheCallTellsWhichKernelsAreCooperative) {
  Activity copy = kernel(1, 10, 20);
  copy.kind = Kind::copy;
  const auto all = joined({copy, kernel(1, 11, 20), kernel(2, 12, 20)},
                          {.launches = {{.call = 1, .cooperative = true}, {.call = 2}}}, 0);
  EXPECT_FALSE(all[0].cooperative) << "a copy";
  EXPECT_TRUE(all[1].cooperative);
  EXPECT_FALSE(all[2].cooperative);
}

TEST(CudaJoin, WhatIsNotOverBeganWhenItWasAskedFor) {
  const auto all =
      joined({kernel(1, 0, 0), kernel(2, 0, 0), kernel(3, 0, 0)},
             {.activities = {asked(Kind::graph, 2, 70)}, .launches = {{.call = 1, .at_ns = 60}}}, 50);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].call, 3u);
  EXPECT_EQ(all[0].start_ns, 50) << "with the recording, where nobody asked";
  EXPECT_EQ(all[1].call, 1u);
  EXPECT_EQ(all[1].start_ns, 60);
  EXPECT_EQ(all[2].start_ns, 70);
  EXPECT_EQ(all[1].end_ns, 0) << "still not over";
}

TEST(CudaJoin, AGraphLastsFromItsFirstNodeToItsLast) {
  Activity function = asked(Kind::host_function, 1, 5);
  function.in_graph = true;
  const auto all = joined({node(1, 20, 30), node(1, 10, 25), node(2, 40, 50), kernel(3, 60, 99)},
                          {.activities = {asked(Kind::graph, 1, 1), function}}, 0);
  const auto graph = std::ranges::find(all, Kind::graph, &Activity::kind);
  ASSERT_NE(graph, all.end());
  EXPECT_EQ(graph->start_ns, 10) << "a host function's record is of the call that queued it";
  EXPECT_EQ(graph->end_ns, 30);
}

TEST(CudaJoin, AGraphOfWhichANodeIsNotOverIsNotOverEither) {
  for (const bool first : {true, false}) {
    std::vector<Activity> records{node(1, 10, 25), node(1, 20, 0)};
    if (first) std::swap(records[0], records[1]);
    const auto all = joined(records, {.activities = {asked(Kind::graph, 1, 1)}}, 0);
    const auto graph = std::ranges::find(all, Kind::graph, &Activity::kind);
    ASSERT_NE(graph, all.end());
    EXPECT_EQ(graph->end_ns, 0) << first;
  }
}

TEST(CudaJoin, AGraphWithoutNodesIsTheMomentItWasLaunched) {
  const auto all = joined({}, {.activities = {asked(Kind::graph, 1, 7)}}, 0);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].start_ns, 7);
  EXPECT_EQ(all[0].end_ns, 7);
}

}  // namespace
}  // namespace aisp::cuda
