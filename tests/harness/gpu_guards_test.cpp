// SPDX-License-Identifier: Apache-2.0
// From what a variant does on a GPU, which is made of threads, to what the guards say of its row: means that
// must be declared are found where they are not, and no honest variant is rejected for its own.
#include <gtest/gtest.h>

#include "aisp/core/registry.h"
#include "gpu_cells.h"

namespace aisp::harness {
namespace {

using device::Activity;

Run recorded_as(const Activity& record) {
  return by([record](FakeStream& s, const Work& work) { s.launch(work, record); });
}
const Registration declarations{[] {
  const Run pages = by([](FakeStream& s, const Work& work) {
    s.launch([] {}, {.kind = Activity::Kind::unified_memory});
    s.launch(work);
  });
  const Run late_child = by(
      [](FakeStream& s, const Work& work) {
        s.launch([] {}, {.can_launch = true});
        s.other().launch(work, {.device_launched = true});
      },
      3e6);
  const Run cooperative = recorded_as({.cooperative = true});
  const Run device_launched = recorded_as({.device_launched = true});
  Workload workload =
      on_gpu("gpu_guards/declarations",
             {{"base", by(launch)},
              {"honest", by(launch)},
              {"cooperative", cooperative},
              {"cooperative, declared", cooperative},
              {"by device", device_launched},
              {"can launch", recorded_as({.can_launch = true})},
              {"by device, declared", device_launched},
              {"late child, declared", late_child},
              {"second device", recorded_as({.device = 1})},
              {"copy to a peer", recorded_as({.kind = Activity::Kind::copy, .peer_device = 1})},
              {"keeps cache", by([](FakeStream& s, const Work& work) {
                 fake_keep_cache();
                 s.launch(work);
               })},
              {"pages", pages},
              {"pages, declared", pages}});
  for (Variant& v : workload.variants) {
    v.cooperative = v.name == "cooperative, declared";
    v.launches_from_device = v.name == "by device, declared" || v.name == "late child, declared";
    v.managed_memory = v.name == "pages, declared";
  }
  return workload;
}()};

const Registration lowers_the_limit{
    on_gpu("gpu_guards/power", {{"base", by([](FakeStream& s, const Work& work) {
                                   fake_faults().watt_limit = 500;
                                   s.launch(work);
                                 })},
                                {"honest", by([](FakeStream& s, const Work& work) {
                                   fake_faults().watt_limit = 700;
                                   s.launch(work);
                                 })}})};

void twice(FakeStream& s, const Work& work) {
  s.launch(work);
  s.launch([] {});
}
void waiting(FakeStream& s, const Work& work) {
  s.launch(work);
  s.synchronise();
}
/// What cannot be part of another graph is launched one by one while it is captured, as libraries do it.
void as_graph(FakeStream& s, const Work& work) {
  if (s.capturing()) return s.launch(work);
  s.launch(FakeGraph().add(work));
}
void two_in_graph(FakeStream& s, const Work& work) {
  s.launch(FakeGraph().add(work).add([] {}));
}
void with_sets(FakeStream& s, const Work& work) {
  s.launch(work);
  for (int i = 0; i < 300; ++i) s.launch([] {}, {.kind = device::Activity::Kind::set});
}
/// Two ways of working: one for those who record, one for those who time.
Run watched_or_not(const Run& watched, const Run& alone) {
  return CallFunction([watched, alone](const Call& call) {
    std::get<CallFunction>((fake_watched() ? watched : alone).code)(call);
  });
}

const Registration behaves_when_watched{
    on_gpu("gpu_guards/watched", {{"base", by(launch)},
                                  {"two kernels", by(twice)},
                                  {"waits", by(waiting)},
                                  {"graph", by(as_graph)},
                                  {"fewer kernels", watched_or_not(by(twice), by(launch))},
                                  {"fewer in graph", watched_or_not(by(two_in_graph), by(launch))},
                                  {"sets when watched", watched_or_not(by(with_sets, 150e3), by(launch))},
                                  {"less work", watched_or_not(by(launch, 3e6), by(launch))},
                                  {"more when timed", watched_or_not(by(launch), by(launch, 3e6))}})};

const Registration works_on_host{[] {
  Workload workload = on_gpu("gpu_guards/on_host", {{"base", by(waiting, 400e3)},
                                                    {"many launches", by([](FakeStream& s, const Work& work) {
                                                       for (int i = 0; i < 50; ++i) s.launch([] {});
                                                       s.launch(work);
                                                     })},
                                                    {"on host", by(
                                                                    [](FakeStream& s, const Work& work) {
                                                                      work();
                                                                      s.launch([] {});
                                                                    },
                                                                    400e3)}});
  for (Variant& v : workload.variants) v.host_sync = true;
  return workload;
}()};

Level level(const CellResult& cell, const std::string& variant, const std::string& guard) {
  return finding(cell, variant, guard).level;
}

class GpuGuards : public testing::Test {
 protected:
  static void SetUpTestSuite() { cell_ = measured("gpu_guards/declarations"); }
  static Level of(const std::string& variant, const std::string& guard) {
    return finding(cell_, variant, guard).level;
  }
  static CellResult cell_;
};
CellResult GpuGuards::cell_;

TEST_F(GpuGuards, AnHonestVariantIsRejectedForNoneOfThese) {
  for (const char* variant : {"base", "honest"}) {
    for (const char* guard :
         {"one_device", "launches_as_declared", "unified_memory_settled", "power_limit_alike"})
      EXPECT_EQ(of(variant, guard), Level::pass) << guard;
  }
}

TEST_F(GpuGuards, CooperativeLaunchesAreDeclared) {
  EXPECT_EQ(of("cooperative", "launches_as_declared"), Level::reject);
  EXPECT_EQ(of("cooperative, declared", "launches_as_declared"), Level::pass);
}

TEST_F(GpuGuards, LaunchesFromTheDeviceAreDeclared) {
  EXPECT_EQ(of("by device", "launches_as_declared"), Level::reject);
  EXPECT_EQ(of("can launch", "launches_as_declared"), Level::reject);
  EXPECT_EQ(of("by device, declared", "launches_as_declared"), Level::pass);
}

TEST_F(GpuGuards, WhatTheDeviceLaunchedMustEndInTheWindowToo) {
  EXPECT_EQ(of("late child, declared", "launches_as_declared"), Level::pass);
  EXPECT_EQ(of("late child, declared", "device_work_in_window"), Level::reject);
}

TEST_F(GpuGuards, AnotherDeviceRejects) {
  EXPECT_EQ(of("second device", "one_device"), Level::reject);
  EXPECT_EQ(of("copy to a peer", "one_device"), Level::reject);
}

TEST_F(GpuGuards, CacheThatSurvivesAFlushMayNotBeAskedFor) {
  EXPECT_EQ(of("keeps cache", "cache_not_kept"), Level::reject);
  EXPECT_EQ(of("honest", "cache_not_kept"), Level::pass) << "what its neighbour asked for was taken back";
}

TEST_F(GpuGuards, PagesThatMoveInAWindowAreDeclared) {
  EXPECT_EQ(of("pages", "unified_memory_settled"), Level::reject);
  EXPECT_EQ(of("pages, declared", "unified_memory_settled"), Level::pass);
}

TEST(GpuPowerLimit, ThatIsLoweredForOneVariantRejectsAll) {
  const CellResult cell = measured("gpu_guards/power");
  // Both: the one was compared with the other.
  for (const char* variant : {"base", "honest"})
    expect_finding(cell, variant, "power_limit_alike", Level::reject,
                   "the power limit was between 500 W and 700 W");
}

TEST(GpuHostSync, WorkOnTheHostIsSeenThoughTheHostsClockTimesIt) {
  const CellResult cell = measured("gpu_guards/on_host");
  const auto of = [&](const std::string& variant) { return level(cell, variant, "host_only_launches"); };
  EXPECT_EQ(of("on host"), Level::reject);
  EXPECT_EQ(of("base"), Level::pass) << "its host waits for the device";
  EXPECT_EQ(of("many launches"), Level::pass);
  EXPECT_GT(cell.find("base")->evidence.timing.clock_cost_ns, 0) << "of the host's clock, unlike events";
}

TEST(GpuWatched, WhoBehavesOnlyWhileRecordedIsRejected) {
  const CellResult cell = measured("gpu_guards/watched");
  const auto of = [&](const std::string& variant) { return level(cell, variant, "audited_as_timed"); };
  EXPECT_EQ(of("fewer kernels"), Level::reject);
  EXPECT_EQ(of("less work"), Level::reject);
  EXPECT_EQ(of("base"), Level::pass);
  EXPECT_EQ(of("two kernels"), Level::pass);
  EXPECT_EQ(of("graph"), Level::pass) << "as many kernels, whether they are a graph's or not";
  EXPECT_EQ(of("fewer in graph"), Level::reject);
  EXPECT_EQ(of("sets when watched"), Level::reject) << "what is done only while watched makes no room";
  EXPECT_EQ(of("more when timed"), Level::pass) << "who is faster when watched hides nothing";
  EXPECT_EQ(cell.find("two kernels")->evidence.accelerator.captured_kernels, 2u);
  EXPECT_EQ(cell.find("two kernels")->evidence.accelerator.audited_kernels, 2u);
  EXPECT_EQ(cell.find("waits")->evidence.accelerator.captured_kernels, std::nullopt);
}

}  // namespace
}  // namespace aisp::harness
