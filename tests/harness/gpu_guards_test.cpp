// SPDX-License-Identifier: Apache-2.0
// From what a variant does on a GPU, which is made of threads, to what the guards say of its row: means that
// must be declared are found where they are not, and no honest variant is rejected for its own.
#include <gtest/gtest.h>

#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/coordinator.h"
#include "example.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

using device::Activity;
using Work = std::function<void()>;

/// A variant that has its work done in some way.
Run by(std::function<void(FakeStream&, Work)> way, double ns = 50e3) {
  return CallFunction([way = std::move(way), ns](const Call& call) {
    way(FakeStream::of(call), [ns, x = call.input<float>(0), y = call.output<float>(0)] {
      const auto& clock = device::Clock::instance();
      for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
      }
      for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
    });
  });
}
Run recorded_as(const Activity& record) {
  return by([record](FakeStream& s, const Work& work) { s.launch(work, record); });
}
void launch(FakeStream& s, const Work& work) { s.launch(work); }

Workload on_gpu(const std::string& id, std::vector<std::pair<std::string, Run>> variants) {
  Workload workload = example(id, std::move(variants));
  workload.device = DeviceKind::cuda;
  return workload;
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

CellResult measured(const std::string& id) {
  const Workload* workload = Registry::instance().find(id);
  const PlannedCell cell{describe(*workload), cell_of(*workload).sizes()};
  RunConfig config;
  config.device = "cuda:0";
  config.cache = CacheMode::cold;
  config.looks = {12};
  config.cell_seconds = 5;
  config.timeout_seconds = 30;
  config.pin = false;
  const Ceilings none;
  const auto result = measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "hash"});
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

Level level(const CellResult& cell, const std::string& variant, const std::string& guard) {
  for (const Finding& finding : cell.find(variant)->findings) {
    if (finding.guard == guard) return finding.level;
  }
  throw std::invalid_argument("no finding of " + guard + " about " + variant);
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
