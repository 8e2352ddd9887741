// SPDX-License-Identifier: Apache-2.0
// What activity records and counters of a GPU prove, and what they do not where they are missing or
// incomplete: from the device to what the guards say of a row.
#include <gtest/gtest.h>

#include "aisp/core/registry.h"
#include "fake_cache.h"
#include "fake_timing.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

using Kind = device::Activity::Kind;

Workload alone(const std::string& id, const FakeFaults& faults) {
  return on_faulty_gpu("gpu_records/" + id, faults, {{"base", by(launch)}});
}
const Registration none{alone("none", {.no_records = "another profiler records"})};
const Registration lost{alone("lost", {.lost_records = 3})};
const Registration silent{alone("silent", {.unrecorded_launches = 1})};
const Registration no_copies{alone("no copies", {.refused = Kind::copy})};
const Registration no_functions{alone("no functions", {.refused = Kind::host_function})};
const Registration uncounted{alone("uncounted", {})};
const Registration little{alone("little", {.counts = true, .counts_little = true})};
const Registration warm{alone("warm", {.counts = true, .keeps_cache = true})};

const Registration graphs{on_gpu(
    "gpu_records/graphs",
    {{"base", by(launch)},
     {"graph", by([](FakeStream& s, const Work& work) { s.launch(FakeGraph().add(work).add([] {})); })},
     {"host node", by([](FakeStream& s, const Work& work) {
        s.launch(FakeGraph().add(work, {.kind = Kind::host_function}).add([] {}));
      })}})};

const Registration pools{
    on_gpu("gpu_records/pools", {{"base", by(launch)}, {"pooled", by([](FakeStream& s, const Work& work) {
                                                          std::byte* first = s.allocate(1 << 20);
                                                          s.release(first);
                                                          s.release(s.allocate(1 << 18));
                                                          s.launch(work);
                                                        })}})};

const Registration counted{
    on_faulty_gpu("gpu_records/counted", {.counts = true},
                  {{"base", by(launch)},
                   {"twice", by([](FakeStream& s, const Work& work) {
                      s.launch(work);
                      s.launch(work);
                    })},
                   // Has the second half of the answer from elsewhere.
                   {"half", CallFunction([](const Call& call) {
                      FakeStream::of(call).launch([x = call.input<float>(0), y = call.output<float>(0)] {
                        fake_cache().read(x.data, static_cast<std::size_t>(x.size) * sizeof(float) / 2);
                        for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
                      });
                    })}})};

const Registration flushed{on_gpu("gpu_records/flushed", {{"base", CallFunction([](const Call& call) {
                                                             call.metric("flushes", fake_expects_flushes());
                                                             std::get<CallFunction>(by(launch).code)(call);
                                                           })}})};

constexpr const char* kNoWork = "what the device did outside windows was not recorded";
constexpr const char* kNoFunctions = "host functions in streams were not recorded";

TEST(GpuRecords, ARecorderThatCannotStartProvesNothing) {
  const CellResult cell = measured("gpu_records/none");
  expect_finding(cell, "base", "device_work_in_window", Level::unknown, kNoWork);
  expect_finding(cell, "base", "no_host_functions", Level::unknown, kNoFunctions);
  expect_finding(cell, "base", "launches_as_declared", Level::unknown,
                 "how work was launched was not recorded");
  EXPECT_NE(notes_of(cell).find("base: nothing was recorded: another profiler records"), std::string::npos)
      << notes_of(cell);
}

TEST(GpuRecords, RecordsThatAreNotCompleteProveNothing) {
  for (const char* id : {"gpu_records/lost", "gpu_records/silent"}) {
    const CellResult cell = measured(id);
    expect_finding(cell, "base", "device_work_in_window", Level::unknown, kNoWork);
    expect_finding(cell, "base", "no_host_functions", Level::unknown, kNoFunctions);
    EXPECT_NE(notes_of(cell).find("base: records were lost"), std::string::npos) << notes_of(cell);
  }
}

TEST(GpuRecords, AKindThatIsRefusedLeavesTheOthersTheirFacts) {
  const CellResult copies = measured("gpu_records/no copies");
  expect_finding(copies, "base", "device_work_in_window", Level::unknown, kNoWork);
  expect_finding(copies, "base", "no_host_functions", Level::pass, "no host function was queued");
  const CellResult functions = measured("gpu_records/no functions");
  expect_finding(functions, "base", "no_host_functions", Level::unknown, kNoFunctions);
  EXPECT_TRUE(functions.find("base")->evidence.accelerator.work_outside_window_ns);
}

TEST(GpuRecords, NodesOfAGraphAreTheCallsOwnButForHostFunctions) {
  const CellResult cell = measured("gpu_records/graphs");
  EXPECT_EQ(cell.find("graph")->evidence.accelerator.undeclared_streams, 0u);
  expect_finding(cell, "graph", "no_host_functions", Level::pass, "no host function was queued");
  expect_finding(cell, "host node", "no_host_functions", Level::reject,
                 "1 host functions were queued in a window");
}

TEST(GpuRecords, WhatAPoolHoldsReachesTheRow) {
  const CellResult cell = measured("gpu_records/pools");
  const MemoryFigures& pooled = cell.find("pooled")->memory;
  EXPECT_EQ(pooled.reserved_bytes, 1 << 20) << "the pool keeps what is given back";
  EXPECT_EQ(pooled.peak_bytes, 1 << 20);
  EXPECT_EQ(pooled.current_bytes, 0);
  EXPECT_EQ(cell.find("base")->memory.reserved_bytes, 0);
  expect_finding(cell, "pooled", "nothing_set_up_in_window", Level::note,
                 "4 allocations or releases in a window");
}

TEST(GpuRecords, CountersTellWhoReadItsInputs) {
  const CellResult cell = measured("gpu_records/counted");
  expect_finding(cell, "base", "compulsory_bytes_read", Level::pass,
                 "100 % of the compulsory bytes were read from memory");
  expect_finding(cell, "half", "compulsory_bytes_read", Level::reject,
                 "only 50 % of the compulsory bytes were read from memory");
  EXPECT_EQ(cell.find("base")->evidence.accelerator.cold_hit_rate, 0);
  const DeviceEvidence& twice = cell.find("twice")->evidence.accelerator;
  EXPECT_EQ(twice.cold_hit_rate, 0.5);
  EXPECT_EQ(twice.dram_bytes, twice.compulsory_bytes);
}

TEST(GpuRecords, ACacheThatWasNotColdRejects) {
  const CellResult cell = measured("gpu_records/warm");
  expect_finding(cell, "base", "compulsory_bytes_read", Level::reject,
                 "only 0 % of the compulsory bytes were read from memory");
  EXPECT_EQ(cell.find("base")->evidence.accelerator.cold_hit_rate, 1);
  expect_finding(measured("gpu_records/counted", CacheMode::hot), "base", "compulsory_bytes_read",
                 Level::pass, "not a cold run with inputs to be read");
}

TEST(GpuRecords, FewCountersAreEnoughAndNoneAreUnknown) {
  expect_finding(measured("gpu_records/little"), "base", "compulsory_bytes_read", Level::pass,
                 "100 % of the compulsory bytes were read from memory");
  const CellResult cell = measured("gpu_records/uncounted");
  expect_finding(cell, "base", "compulsory_bytes_read", Level::unknown,
                 "bytes read from the device's memory were not counted");
  EXPECT_NE(notes_of(cell).find("base: no counters: threads have no counters"), std::string::npos);
}

TEST(GpuRecords, TheTimerExpectsFlushesInColdCellsAlone) {
  using Metrics = std::vector<std::pair<std::string, double>>;
  for (const auto& [cache, expected] :
       {std::pair(CacheMode::cold, 1.0), {CacheMode::hot, 0.0}, {CacheMode::steady, 0.0}})
    EXPECT_EQ(measured("gpu_records/flushed", cache).find("base")->metrics, Metrics({{"flushes", expected}}));
}

}  // namespace
}  // namespace aisp::harness
