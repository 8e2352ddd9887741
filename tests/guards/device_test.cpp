// SPDX-License-Identifier: Apache-2.0
// Guards over what a GPU did: each rejects its fault, calls a missing fact unknown, and leaves the CPU alone.
#include <gtest/gtest.h>

#include <utility>

#include "good_evidence.h"

namespace aisp::guards {
namespace {

const char* const kGuards[] = {"device_work_in_window",   "device_not_waited_for",
                               "no_host_functions",       "nothing_set_up_in_window",
                               "device_unshared",         "device_clocks_alike",
                               "compulsory_bytes_read",   "host_only_launches",
                               "device_agrees_with_wall", "one_device",
                               "launches_as_declared",    "unified_memory_settled",
                               "audited_as_timed",        "cache_not_kept",
                               "device_memory_sound"};

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

TEST(ThreadsAsDeclared, ADriverHasThreadsOfItsOwn) {
  Evidence e = good_gpu_evidence();
  e.process.cpu_in_windows_ns = 7.3e6;
  e.process.others_cpu_in_windows_ns = 149e3;
  EXPECT_EQ(level("threads_as_declared", e), Level::pass) << "as on an H200";
  e.process.others_cpu_in_windows_ns = 400e3;
  EXPECT_EQ(level("threads_as_declared", e), Level::pass) << "100 us an attempt, and 2 % of the rest";
  e.process.others_cpu_in_windows_ns = 450e3;
  EXPECT_EQ(level("threads_as_declared", e), Level::reject);
  e.process.others_cpu_in_windows_ns = 149e3;
  e.device = DeviceKind::cpu;
  EXPECT_EQ(level("threads_as_declared", e), Level::reject) << "there is no driver";
}

TEST(NoPageFaults, PagesOfUnifiedMemoryAreNotOnADisk) {
  Evidence e = good_gpu_evidence();
  e.process.major_faults = 384;
  EXPECT_NE(finding("no_page_faults", e).because.find("disk"), std::string::npos);
  e.accelerator.unified_memory_moves = 12;
  const Finding moved = finding("no_page_faults", e);
  EXPECT_EQ(moved.level, Level::reject);
  EXPECT_EQ(moved.because.find("disk"), std::string::npos) << moved.because;
  EXPECT_NE(moved.hint.find(".managed_memory"), std::string::npos) << moved.hint;
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
  e.accelerator.throttle_reasons = e.accelerator.baseline_throttle_reasons = "power cap";
  EXPECT_EQ(level("device_clocks_alike", e), Level::pass);
  e.accelerator.clock_change = 0.1;
  EXPECT_EQ(level("device_clocks_alike", e), Level::note);
  e.accelerator.throttle_reasons = "software thermal slowdown";
  EXPECT_EQ(level("device_clocks_alike", e), Level::reject);
}

TEST(DeviceClocksAlike, PowerThatHeldBackOneOfTwoIsNoted) {
  Evidence e = good_gpu_evidence();
  e.accelerator.throttle_reasons = "power cap, sync boost";
  Finding found = finding("device_clocks_alike", e);
  EXPECT_EQ(found.level, Level::note);
  EXPECT_EQ(found.because, "its clock was held back by power cap, the baseline's by nothing");
  e.accelerator.clock_change = 0.1;
  EXPECT_EQ(
      finding("device_clocks_alike", e).because,
      "its clock differed from the baseline's by 10 % and was held back by power cap, the baseline's by "
      "nothing");
  e.accelerator.clock_change = 0;
  std::swap(e.accelerator.throttle_reasons, e.accelerator.baseline_throttle_reasons);
  found = finding("device_clocks_alike", e);
  EXPECT_EQ(found.level, Level::note);
  EXPECT_EQ(found.because, "its clock was held back by nothing, the baseline's by power cap");
  e.accelerator.throttle_reasons = "idle, power cap";
  EXPECT_EQ(level("device_clocks_alike", e), Level::pass) << "words of anything else are not compared";
  e.accelerator.baseline_throttle_reasons.reset();
  EXPECT_EQ(level("device_clocks_alike", e), Level::pass) << "records from before they were kept";
}

TEST(DeviceMemorySound, NewErrorsThatWereNotCorrectedReject) {
  Evidence e = good_gpu_evidence();
  e.accelerator.new_ecc_corrected = 3;
  EXPECT_EQ(level("device_memory_sound", e), Level::pass);
  EXPECT_EQ(finding("device_memory_sound", e).because,
            "the device's memory made no new error but 3 that it corrected");
  for (const std::uint64_t errors : {1u, 2u}) {
    e.accelerator.new_ecc_uncorrected = errors;
    EXPECT_EQ(level("device_memory_sound", e), Level::reject);
  }
  e.accelerator.ecc.reset();
  EXPECT_EQ(level("device_memory_sound", e), Level::reject) << "an error that was counted was there";
}

TEST(DeviceMemorySound, WithoutEccIsNotedAndUnreadIsUnknown) {
  Evidence e = good_gpu_evidence();
  e.accelerator.new_ecc_uncorrected.reset();
  EXPECT_EQ(level("device_memory_sound", e), Level::unknown);
  e.accelerator.ecc = false;
  EXPECT_EQ(level("device_memory_sound", e), Level::note);
  e.accelerator.ecc.reset();
  e.accelerator.new_ecc_uncorrected = 0;
  EXPECT_EQ(level("device_memory_sound", e), Level::unknown);
  EXPECT_EQ(validity_of(judge(e), Policy::standard), Validity::valid);
  EXPECT_EQ(validity_of(judge(e), Policy::strict), Validity::unproven);
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

TEST(RotationExceedsCache, SetsThatFitTheCacheAreNoted) {
  Evidence e = good_gpu_evidence();
  e.accelerator.rotation_over_cache.reset();
  EXPECT_EQ(level("rotation_exceeds_cache", e), Level::pass) << "isolated calls do not rotate";
  EXPECT_EQ(level("rotation_exceeds_cache", good_evidence()), Level::pass);
  e.timing.instrument = Instrument::steady;
  EXPECT_EQ(level("rotation_exceeds_cache", e), Level::unknown);
  e.accelerator.rotation_over_cache = 2;
  EXPECT_EQ(level("rotation_exceeds_cache", e), Level::pass);
  for (const double few : {1.99, kNaN}) {
    e.accelerator.rotation_over_cache = few;
    EXPECT_EQ(level("rotation_exceeds_cache", e), Level::note);
  }
}

TEST(CallsTimedByTheHost, AreNotAskedWhatOnlyAGateShows) {
  Evidence e = good_gpu_evidence();
  e.timing.instrument = Instrument::call;
  e.accelerator.device_over_wall.reset();
  e.accelerator.waited.reset();
  for (const char* guard : {"device_agrees_with_wall", "device_not_waited_for"}) {
    EXPECT_EQ(level(guard, e), Level::pass) << guard;
    EXPECT_TRUE(finding(guard, e).because.starts_with("does not apply: ")) << guard;
  }
}

TEST(CallsTimedByTheHost, MayNotDoTheirWorkThere) {
  Evidence e = good_gpu_evidence();
  e.timing.instrument = Instrument::call;
  EXPECT_EQ(level("host_only_launches", e), Level::unknown) << "no records";
  e.accelerator.tensors_on_host = false;
  e.accelerator.host_alone_share = 0.5;
  EXPECT_EQ(level("host_only_launches", e), Level::pass);
  e.accelerator.host_alone_share = 0.51;
  EXPECT_EQ(level("host_only_launches", e), Level::reject);
  e.accelerator.host_alone_share = kNaN;
  EXPECT_EQ(level("host_only_launches", e), Level::reject);
  e.accelerator.host_alone_share = 0.9;
  e.timing.shortest_window_ns = 20e3;
  EXPECT_EQ(level("host_only_launches", e), Level::pass) << "18 us: recording itself";
  e.timing.shortest_window_ns = 1e6;
  EXPECT_EQ(level("host_only_launches", e), Level::reject);
  e.accelerator.tensors_on_host = true;
  EXPECT_EQ(level("host_only_launches", e), Level::pass) << "the host may work on its own tensors";
}

TEST(AuditedAsTimed, OtherKernelsOrALongerTimeWhileWatchedReject) {
  Evidence e = good_gpu_evidence();
  e.accelerator.audited_kernels = 3;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject);
  e.accelerator.audited_kernels.reset();
  EXPECT_EQ(level("audited_as_timed", e), Level::pass) << "windows that differ have no one count";
  e.accelerator.audited_ns = 131e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::pass) << "a quarter, and 3 us for each of two kernels";
  e.accelerator.audited_ns = 131.1e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject);
  e.accelerator.audited_ns = kNaN;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject);
  e.accelerator.audited_ns = 10e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::pass) << "who is faster when watched hides nothing";
  e.accelerator.timed_ns.reset();
  EXPECT_EQ(level("audited_as_timed", e), Level::unknown);
}

TEST(AuditedAsTimed, AttemptsThatDifferReject) {
  Evidence e = good_gpu_evidence();
  e.accelerator.fewest_captured_kernels = 1;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject);
}

TEST(AuditedAsTimed, WhatIsDoneOnlyWhileWatchedMakesNoRoom) {
  Evidence e = good_gpu_evidence();
  e.accelerator.audited_pieces = 50;
  e.accelerator.audited_ns = 131.1e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject) << "two pieces where it is timed";
  e.accelerator.captured_pieces = 50;
  EXPECT_EQ(level("audited_as_timed", e), Level::pass);
  e.accelerator.audited_pieces = 2;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject) << "and two where it is recorded";
}

TEST(AuditedAsTimed, OfACallThatCannotBeCapturedWhatRecordingAddedIsNotKnown) {
  Evidence e = good_gpu_evidence();
  e.accelerator.captured_kernels.reset();
  e.accelerator.fewest_captured_kernels.reset();
  e.accelerator.captured_pieces.reset();
  EXPECT_EQ(level("audited_as_timed", e), Level::pass) << "as long as where it is timed";
  e.accelerator.audited_ns = 130e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::unknown) << "two pieces explain it, one does not";
  e.accelerator.audited_ns = 131.1e3;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject);
}

TEST(AuditedAsTimed, SaysWhereItDoesNotApply) {
  Evidence e = good_gpu_evidence();
  e.accelerator.audited_kernels = 3;
  for (const Instrument other : {Instrument::call, Instrument::steady}) {
    e.timing.instrument = other;
    EXPECT_EQ(level("audited_as_timed", e), Level::pass) << name_of(other);
    EXPECT_TRUE(finding("audited_as_timed", e).because.starts_with("does not apply: "));
  }
  e.timing.instrument = Instrument::isolated;
  Evidence pages = good_gpu_evidence();
  pages.accelerator.audited_ns = 1e6;
  pages.accelerator.unified_memory_moves = 3;
  EXPECT_EQ(level("audited_as_timed", pages), Level::reject) << "nobody declared it";
  pages.accelerator.declares_managed_memory = true;
  EXPECT_EQ(level("audited_as_timed", pages), Level::pass);
  e.accelerator.device_launches = 1;
  EXPECT_EQ(level("audited_as_timed", e), Level::reject) << "nobody declared it";
  e.accelerator.declares_device_launches = true;
  EXPECT_EQ(level("audited_as_timed", e), Level::pass);
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
