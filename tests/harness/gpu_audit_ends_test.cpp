// SPDX-License-Identifier: Apache-2.0
// A variant that ends the process which audits it, however it does it, costs nobody but itself its audit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "aisp/core/registry.h"
#include "fake_recorder.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

using device::GpuError;
using device::GpuFault;

/// Does so when it is recorded, and works otherwise.
Run when_recorded(std::function<void()> what) {
  return by([what = std::move(what)](FakeStream& s, const Work& work) {
    s.launch(fake_recorder().recording() ? what : work);
  });
}
Workload between_honest(const std::string& id, Run run) {
  return on_faulty_gpu("gpu_audit_ends/" + id, {.counts = true},
                       {{"base", by(launch)}, {"ends", std::move(run)}, {"honest", by(launch)}});
}
const Registration crashing{between_honest("crash", when_recorded([] { std::abort(); }))};
const Registration faulting{between_honest(
    "sticky", when_recorded([] { throw GpuError(GpuFault::sticky, "an illegal memory access"); }))};
const Registration throwing{between_honest("throw", by([](FakeStream& s, const Work& work) {
                                             if (fake_recorder().recording())
                                               throw std::runtime_error("not while watched");
                                             s.launch(work);
                                           }))};
const Registration uncounted{between_honest("counters", by([](FakeStream& s, const Work& work) {
                                              fake_faults().counting_fails = true;
                                              s.launch(work);
                                            }))};
const Registration first{
    on_gpu("gpu_audit_ends/first", {{"base", when_recorded([] { std::abort(); })}, {"honest", by(launch)}})};

bool recorded(const CellResult& cell, const std::string& variant) {
  return cell.find(variant)->evidence.accelerator.host_functions.has_value();
}
bool counted(const CellResult& cell, const std::string& variant) {
  return cell.find(variant)->evidence.accelerator.dram_bytes.has_value();
}
void expect_note(const CellResult& cell, const std::string& note) {
  EXPECT_NE(notes_of(cell).find(note), std::string::npos) << notes_of(cell);
}

/// Only "ends" has no records, and all have their counters.
void expect_one_without_records(const CellResult& cell, const std::string& note) {
  EXPECT_TRUE(recorded(cell, "base")) << "audited before it";
  EXPECT_TRUE(recorded(cell, "honest")) << "audited after it";
  EXPECT_FALSE(recorded(cell, "ends"));
  for (const char* variant : {"base", "ends", "honest"}) EXPECT_TRUE(counted(cell, variant)) << variant;
  expect_finding(cell, "ends", "no_host_functions", Level::unknown,
                 "host functions in streams were not recorded");
  expect_finding(cell, "honest", "no_host_functions", Level::pass, "no host function was queued");
  expect_note(cell, note);
}

TEST(GpuAuditEnds, ACrashCostsTheOthersNothing) {
  expect_one_without_records(measured("gpu_audit_ends/crash"), "ends: audit crashed: SIGABRT");
}

TEST(GpuAuditEnds, AStickyFaultCostsTheOthersNothing) {
  expect_one_without_records(measured("gpu_audit_ends/sticky"),
                             "ends: audit threw: an illegal memory access");
}

TEST(GpuAuditEnds, WhatCodeThrowsCostsTheOthersNothing) {
  expect_one_without_records(measured("gpu_audit_ends/throw"), "ends: audit threw: not while watched");
}

TEST(GpuAuditEnds, CountersThatFailLeaveRecordsAndTheOthersCounters) {
  const CellResult cell = measured("gpu_audit_ends/counters");
  for (const char* variant : {"base", "ends", "honest"}) EXPECT_TRUE(recorded(cell, variant)) << variant;
  EXPECT_TRUE(counted(cell, "base"));
  EXPECT_TRUE(counted(cell, "honest"));
  EXPECT_FALSE(counted(cell, "ends"));
  expect_finding(cell, "ends", "compulsory_bytes_read", Level::unknown,
                 "bytes read from the device's memory were not counted");
  expect_note(cell, "ends: counters threw: counting: the device refused");
}

TEST(GpuAuditEnds, TheBaselineIsNoException) {
  const CellResult cell = measured("gpu_audit_ends/first");
  EXPECT_FALSE(recorded(cell, "base"));
  EXPECT_TRUE(recorded(cell, "honest"));
  expect_note(cell, "base: audit crashed: SIGABRT");
}

}  // namespace
}  // namespace aisp::harness
