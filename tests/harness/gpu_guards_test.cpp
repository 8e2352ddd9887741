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

Level level(const CellResult& cell, const std::string& variant, const std::string& guard) {
  return finding(cell, variant, guard).level;
}

class GpuGuards : public testing::Test {
 protected:
  static void SetUpTestSuite() { cell_ = measured("gpu_guards/declarations"); }
  static Level of(const std::string& variant, const std::string& guard) {
    return level(cell_, variant, guard);
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

TEST_F(GpuGuards, PagesThatMoveInAWindowAreDeclared) {
  EXPECT_EQ(of("pages", "unified_memory_settled"), Level::reject);
  EXPECT_EQ(of("pages, declared", "unified_memory_settled"), Level::pass);
}

TEST(GpuPowerLimit, ThatIsLoweredForOneVariantRejectsAll) {
  const CellResult cell = measured("gpu_guards/power");
  EXPECT_EQ(level(cell, "base", "power_limit_alike"), Level::reject);
  EXPECT_EQ(level(cell, "honest", "power_limit_alike"), Level::reject) << "it was compared with the other";
}

}  // namespace
}  // namespace aisp::harness
