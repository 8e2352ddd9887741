// SPDX-License-Identifier: Apache-2.0
// Guards over what a GPU did: each rejects its fault, calls a missing fact unknown, and leaves the CPU alone.
#include <gtest/gtest.h>

#include "good_evidence.h"

namespace aisp::guards {
namespace {

const char* const kGuards[] = {"device_work_in_window",   "device_not_waited_for",
                               "no_host_functions",       "nothing_set_up_in_window",
                               "device_unshared",         "device_clocks_alike",
                               "compulsory_bytes_read",   "host_only_launches",
                               "device_agrees_with_wall", "one_device",
                               "launches_as_declared",    "unified_memory_settled"};

TEST(DeviceGuards, PassOnTheCpuAndOnAGpuWithoutFault) {
  for (const char* guard : kGuards) {
    EXPECT_EQ(level(guard, good_evidence()), Level::pass) << guard;
    EXPECT_EQ(level(guard, good_gpu_evidence()), Level::pass) << guard;
  }
}

TEST(DeviceGuards, WithoutEvidenceNothingIsKnown) {
  Evidence e = good_gpu_evidence();
  e.accelerator = {};
  for (const char* guard : kGuards) EXPECT_EQ(level(guard, e), Level::unknown) << guard;
}

TEST(NoWorkAfterReturn, ADriverMayTidyUp) {
  Evidence e = good_gpu_evidence();
  e.timing.shortest_window_ns = 1e6;
  e.process.cpu_after_return_ns = 50e3;
  EXPECT_EQ(level("no_work_after_return", e), Level::pass);
  e.process.cpu_after_return_ns = 200e3;
  EXPECT_EQ(level("no_work_after_return", e), Level::reject);
  e.process.cpu_after_return_ns = 50e3;
  e.device = DeviceKind::cpu;
  EXPECT_EQ(level("no_work_after_return", e), Level::reject);
}

TEST(DeviceWorkInWindow, ALongWindowMayHaveAHundredthOutside) {
  Evidence e = good_gpu_evidence();
  e.timing.shortest_window_ns = 1e6;
  e.accelerator.work_outside_window_ns = 10e3;
  EXPECT_EQ(level("device_work_in_window", e), Level::pass);
  e.accelerator.work_outside_window_ns = 10.1e3;
  EXPECT_EQ(level("device_work_in_window", e), Level::reject);
}

TEST(DeviceWorkInWindow, ABusyDeviceIsEnoughWithoutRecords) {
  Evidence e = good_gpu_evidence();
  e.accelerator.work_outside_window_ns.reset();
  e.accelerator.late_ns = 1e6;
  EXPECT_EQ(level("device_work_in_window", e), Level::reject);
  e.accelerator.late_ns = kNaN;
  EXPECT_EQ(level("device_work_in_window", e), Level::reject);
}

TEST(NothingSetUpInWindow, AllocationsAreNotedOnly) {
  Evidence e = good_gpu_evidence();
  e.accelerator.allocations_in_window = 3;
  EXPECT_EQ(level("nothing_set_up_in_window", e), Level::note);
}

TEST(DeviceClocksAlike, PowerIsNotedByTheClockAndHeatRejects) {
  Evidence e = good_gpu_evidence();
  e.accelerator.throttle_reasons = "power cap";
  EXPECT_EQ(level("device_clocks_alike", e), Level::pass);
  e.accelerator.clock_change = 0.1;
  EXPECT_EQ(level("device_clocks_alike", e), Level::note);
  e.accelerator.throttle_reasons = "software thermal slowdown";
  EXPECT_EQ(level("device_clocks_alike", e), Level::reject);
}

TEST(LaunchesAsDeclared, EachWayHasADeclarationOfItsOwn) {
  Evidence e = good_gpu_evidence();
  e.accelerator.cooperative_launches = 2;
  EXPECT_EQ(level("launches_as_declared", e), Level::reject);
  e.accelerator.declares_device_launches = true;
  EXPECT_EQ(level("launches_as_declared", e), Level::reject) << "another way was declared";
  e.accelerator.declares_cooperative = true;
  EXPECT_EQ(level("launches_as_declared", e), Level::pass);
  e.accelerator.device_launches = 1;
  EXPECT_EQ(level("launches_as_declared", e), Level::pass);
  EXPECT_EQ(finding("launches_as_declared", e).because,
            "launches as declared: 2 cooperative, 1 by the device");
  e.accelerator.declares_device_launches.reset();
  EXPECT_EQ(level("launches_as_declared", e), Level::reject) << "nobody declared it";
}

TEST(LaunchesAsDeclared, WhatIsKnownRejectsAndWhatIsNotIsUnknown) {
  Evidence e = good_gpu_evidence();
  e.accelerator.device_launches.reset();
  EXPECT_EQ(level("launches_as_declared", e), Level::unknown) << "code that could not be read";
  e.accelerator.cooperative_launches = 1;
  EXPECT_EQ(level("launches_as_declared", e), Level::reject);
}

TEST(UnifiedMemorySettled, ADeclarationIsEnough) {
  Evidence e = good_gpu_evidence();
  e.accelerator.unified_memory_moves = 7;
  EXPECT_EQ(level("unified_memory_settled", e), Level::reject);
  e.accelerator.declares_managed_memory = true;
  EXPECT_EQ(level("unified_memory_settled", e), Level::pass);
}

TEST(CompulsoryBytesRead, OnlyColdRunsMustRead) {
  Evidence e = good_gpu_evidence();
  e.accelerator.dram_bytes = 0.94e9;
  EXPECT_EQ(level("compulsory_bytes_read", e), Level::reject);
  e.accelerator.compulsory_bytes.reset();
  EXPECT_EQ(level("compulsory_bytes_read", e), Level::pass);
}

}  // namespace
}  // namespace aisp::guards
