// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/window_activity.h"

#include <gtest/gtest.h>

#include <vector>

namespace aisp::probes {
namespace {

using device::Activity;
using Kind = Activity::Kind;

constexpr std::uint64_t kTimed = 7, kOther = 8;

Activity piece(Kind kind, double start, double end, std::uint64_t stream = kTimed) {
  Activity a{.kind = kind};
  a.start_ns = start;
  a.end_ns = end;
  a.stream = stream;
  return a;
}

/// The gate from 1 to 2 ms, 100 us of work behind it, called at 1 ms.
class WindowActivityTest : public testing::Test {
 protected:
  WindowActivity seen(std::vector<Activity> more = {}) {
    std::vector<Activity> records{piece(Kind::set, 0.1e6, 0.2e6), piece(Kind::kernel, 1e6, 2e6),
                                  piece(Kind::kernel, 2.001e6, 2.1e6)};
    records.insert(records.end(), more.begin(), more.end());
    return activity_of({.records = records,
                        .stream = kTimed,
                        .called_ns = 0.9e6,
                        .device_ns = 100e3,
                        .stopped_ns = 5e6,
                        .trusted = 1,
                        .trusted_ns = 0.1e6});
  }
};

TEST_F(WindowActivityTest, WorkBehindTheGateIsInside) {
  const WindowActivity found = seen();
  EXPECT_EQ(found.outside_ns, 0);
  EXPECT_EQ(found.kernels, 1u);
  EXPECT_EQ(found.other_streams + found.host_functions + found.compilations + found.not_over, 0u);
}

TEST(WindowActivity, ACallThatWaitsOwnsEverythingUntilItReturns) {
  const std::vector<Activity> records{piece(Kind::copy, 1e6, 2e6), piece(Kind::kernel, 2e6, 3e6),
                                      piece(Kind::kernel, 3.9e6, 4.5e6, kOther)};
  const RecordedWindow window{.records = records,
                              .stream = kTimed,
                              .called_ns = 0.9e6,
                              .device_ns = 0,
                              .returned_ns = 4e6,
                              .stopped_ns = 5e6};
  const WindowActivity found = activity_of(window);
  EXPECT_EQ(found.kernels, 2u) << "none of them is a gate";
  EXPECT_NEAR(found.outside_ns, 0.5e6, 1) << "what goes on after it has returned";
}

TEST(WindowActivity, TheHostIsAloneWhereNothingRunsAndTheDriverIsNotCalled) {
  // Called from 1 to 5 ms: the driver until 1.5, the device from 1.4 to 2, then 2 ms of nothing but another
  // call of the driver for half a millisecond, and waiting from 4 to 6.
  const std::vector<Activity> records{piece(Kind::driver_call, 0.5e6, 1.5e6), piece(Kind::kernel, 1.4e6, 2e6),
                                      piece(Kind::driver_call, 3e6, 3.5e6),
                                      piece(Kind::driver_call, 3.1e6, 3.2e6),
                                      piece(Kind::driver_call, 4e6, 6e6)};
  RecordedWindow window{
      .records = records, .stream = kTimed, .called_ns = 1e6, .returned_ns = 5e6, .stopped_ns = 6e6};
  EXPECT_NEAR(activity_of(window).host_alone_share.value_or(0), 1.5 / 4, 1e-9);
  window.thread = 2;
  EXPECT_NEAR(activity_of(window).host_alone_share.value_or(0), 3.4 / 4, 1e-9)
      << "another thread's calls do not cover for it";
  window.returned_ns.reset();
  EXPECT_FALSE(activity_of(window).host_alone_share) << "behind a gate the host's time is seen elsewhere";
}

TEST_F(WindowActivityTest, AnotherStreamInsideTheWindowIsNoFault) {
  const WindowActivity found = seen({piece(Kind::kernel, 2.01e6, 2.09e6, kOther)});
  EXPECT_EQ(found.outside_ns, 0);
  EXPECT_EQ(found.other_streams, 1u);
}

TEST_F(WindowActivityTest, WorkAfterTheWindowIsOutside) {
  EXPECT_NEAR(seen({piece(Kind::copy, 2.05e6, 3.101e6, kOther)}).outside_ns, 1e6, 1);
  EXPECT_NEAR(seen({piece(Kind::kernel, 4e6, 4.5e6, kTimed)}).outside_ns, 0.5e6, 1);
}

TEST_F(WindowActivityTest, WorkWhileTheGateHoldsIsOutside) {
  EXPECT_NEAR(seen({piece(Kind::copy, 1.2e6, 1.7e6, kOther)}).outside_ns, 0.5e6, 1);
}

TEST_F(WindowActivityTest, WorkBeforeTheCallBeyondTheHarnessesOwnIsOutside) {
  EXPECT_NEAR(seen({piece(Kind::kernel, 0.3e6, 0.7e6, kTimed)}).outside_ns, 0.4e6, 1)
      << "whichever stream it used";
}

TEST_F(WindowActivityTest, WhatIsNotOverIsOutsideUntilTheRecordingEnds) {
  const WindowActivity found = seen({piece(Kind::kernel, 2.05e6, 0, kOther)});
  EXPECT_EQ(found.not_over, 1u);
  EXPECT_NEAR(found.outside_ns, 5e6 - 2.101e6, 1);
}

TEST_F(WindowActivityTest, HowWorkWasLaunchedIsCounted) {
  Activity grid = piece(Kind::kernel, 2.01e6, 2.02e6), child = grid, parent = grid, grid_of_child = grid;
  grid.cooperative = true;
  child.device_launched = true;
  parent.can_launch = true;
  grid_of_child.device_launched = grid_of_child.cooperative = true;
  const WindowActivity found = seen({grid, child, parent, grid_of_child});
  EXPECT_EQ(found.cooperative, 1u) << "what the device launches is its own kind";
  EXPECT_EQ(found.device_launches, 3u);
  EXPECT_EQ(found.kernels, 3u);
  EXPECT_EQ(found.pieces, 5u);
  parent.in_graph = true;
  EXPECT_EQ(seen({grid, child, parent, grid_of_child}).kernels, 3u) << "nodes of graphs are kernels, too";
  grid.start_ns = 0.3e6;
  grid.end_ns = 0.4e6;
  EXPECT_EQ(seen({grid}).cooperative, 0u) << "what came before the call is not in it";
}

TEST_F(WindowActivityTest, WorkThatTheDeviceLaunchedIsOutsideLikeAnyOther) {
  Activity child = piece(Kind::kernel, 2.05e6, 3.101e6, kOther);
  child.device_launched = true;
  EXPECT_NEAR(seen({child}).outside_ns, 1e6, 1);
}

TEST_F(WindowActivityTest, WorkOfAnotherDeviceIsCountedWheneverItRan) {
  EXPECT_EQ(seen().other_devices, 0u);
  Activity during = piece(Kind::kernel, 2.01e6, 2.02e6), before = piece(Kind::set, 0.3e6, 0.4e6);
  Activity copied = piece(Kind::copy, 2.01e6, 2.02e6);
  during.device = before.device = 1;
  copied.peer_device = 1;
  EXPECT_EQ(seen({during, before, copied}).other_devices, 3u);
  copied.peer_device = 0;
  EXPECT_EQ(seen({copied}).other_devices, 0u);
}

// Streams of two devices may have the same number.
TEST_F(WindowActivityTest, AKernelOfAnotherDeviceIsNoGate) {
  Activity other = piece(Kind::kernel, 0.95e6, 0.96e6);
  other.device = 1;
  std::vector<Activity> records{other, piece(Kind::kernel, 1e6, 2e6), piece(Kind::kernel, 2.001e6, 2.1e6)};
  const WindowActivity found = activity_of(
      {.records = records, .stream = kTimed, .called_ns = 0.9e6, .device_ns = 100e3, .stopped_ns = 5e6});
  EXPECT_EQ(found.kernels, 2u) << "the gate was the first of the measured device";
  EXPECT_NEAR(found.outside_ns, 0.01e6, 1);
}

TEST_F(WindowActivityTest, PagesThatMoveInTheWindowAreCounted) {
  EXPECT_EQ(
      seen({piece(Kind::unified_memory, 2.05e6, 2.06e6), piece(Kind::unified_memory, 0.5e6, 0.6e6)}).faults,
      1u);
}

TEST_F(WindowActivityTest, SetUpInTheWindowIsCounted) {
  const WindowActivity found =
      seen({piece(Kind::host_function, 2.05e6, 2.05e6, kOther), piece(Kind::compilation, 1.5e6, 1.6e6),
            piece(Kind::allocation, 2.05e6, 2.05e6), piece(Kind::allocation, 0.5e6, 0.5e6)});
  EXPECT_EQ(found.host_functions, 1u);
  EXPECT_EQ(found.compilations, 1u);
  EXPECT_EQ(found.allocations, 1u) << "what came before the call is not in it";
}

}  // namespace
}  // namespace aisp::probes
