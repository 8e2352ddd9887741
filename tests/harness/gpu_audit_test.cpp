// SPDX-License-Identifier: Apache-2.0
// The audit of a cell on a GPU that is made of threads: what runs outside its window is seen, whichever way
// it got there, and what honest variants do is not.
#include "aisp/harness/gpu_audit.h"

#include <gtest/gtest.h>

#include "aisp/device/clock.h"
#include "example.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

void spin(double ns) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
  }
}

CallFunction with(std::function<void(FakeStream&, std::function<void()>)> how, double ns = 200e3) {
  return [how = std::move(how), ns](const Call& call) {
    how(FakeStream::of(call), [ns, x = call.input<float>(0), y = call.output<float>(0)] {
      spin(ns);
      for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
    });
  };
}

AuditedVariant audited(CallFunction run, AuditOf what = AuditOf::activity) {
  Workload workload = example("test/audit", {{"one", std::move(run)}});
  workload.device = DeviceKind::cuda;
  CellSpec spec = cell_of(workload);
  spec.device = "cuda:0";
  spec.cache = CacheMode::cold;
  AuditedVariant last;
  const Status done = audit(
      workload, spec, {.what = what}, [](const std::string&) {},
      [&](const AuditReport& report) {
        if (!report.variants.empty()) last = report.variants.back();
      });
  if (!done) throw std::runtime_error(done.error().message);
  return last;
}

// Threads take their time to notice that a gate is open: what an honest variant does outside its window here
// is little beside its work, and nothing on a device.
constexpr double kLittle = 100e3;

TEST(GpuAudit, AnHonestVariantWorksInItsWindow) {
  const AuditedVariant seen = audited(with([](FakeStream& s, auto work) { s.launch(work); }));
  EXPECT_LT(seen.device.work_outside_window_ns.value_or(1e9), kLittle);
  EXPECT_EQ(seen.device.undeclared_streams, 0u);
  EXPECT_EQ(seen.device.host_functions, 0u);
  EXPECT_EQ(seen.answers.wrong, 0u);
}

TEST(GpuAudit, WorkThatGoesOnElsewhereIsOutside) {
  const AuditedVariant seen = audited(with(
      [](FakeStream& s, auto work) {
        s.launch([] {});
        s.other().launch(work);
      },
      2e6));
  EXPECT_GT(seen.device.work_outside_window_ns.value_or(0), 1e6);
  EXPECT_EQ(seen.device.undeclared_streams, 1u);
}

// From its first call on a thread of the variant works while the harness prepares the next: never more than
// one piece, which must not pass for one of the harness's own.
TEST(GpuAudit, WorkBeforeACallIsOutside) {
  const AuditedVariant seen = audited(with([](FakeStream& s, auto work) {
    s.launch(work);
    fake_faults().at_flush = [&second = s.other()] { second.launch([] { spin(1e6); }); };
  }));
  fake_faults().at_flush = {};
  EXPECT_GT(seen.device.work_outside_window_ns.value_or(0), 0.5e6);
}

TEST(GpuAudit, WorkOfTheHostInAStreamIsCounted) {
  const AuditedVariant seen = audited(with([](FakeStream& s, auto work) {
    s.host_function(work);
    s.launch([] {});
  }));
  EXPECT_EQ(seen.device.host_functions, 1u);
}

TEST(GpuAudit, HowAndWhereWorkWasLaunchedIsCounted) {
  const AuditedVariant honest = audited(with([](FakeStream& s, auto work) { s.launch(work); }));
  EXPECT_EQ(honest.device.cooperative_launches, 0u);
  EXPECT_EQ(honest.device.device_launches, 0u);
  EXPECT_EQ(honest.device.work_on_other_devices, 0u);
  EXPECT_EQ(honest.device.unified_memory_moves, 0u);
  EXPECT_EQ(honest.device.declares_cooperative, false);
  const AuditedVariant seen = audited(with([](FakeStream& s, auto work) {
    s.launch(work, {.cooperative = true});
    s.launch([] {}, {.can_launch = true});
    s.launch([] {}, {.device_launched = true});
    s.launch([] {}, {.device = 1});
    s.launch([] {}, {.kind = device::Activity::Kind::unified_memory});
  }));
  EXPECT_EQ(seen.device.cooperative_launches, 1u);
  EXPECT_EQ(seen.device.device_launches, 2u);
  EXPECT_EQ(seen.device.work_on_other_devices, 1u);
  EXPECT_EQ(seen.device.unified_memory_moves, 1u);
}

TEST(GpuAudit, WhatRecordsCannotShowIsUnknown) {
  fake_faults().unreadable_code = fake_faults().no_unified_memory = true;
  const AuditedVariant honest = audited(with([](FakeStream& s, auto work) { s.launch(work); }));
  const AuditedVariant launches =
      audited(with([](FakeStream& s, auto work) { s.launch(work, {.device_launched = true}); }));
  fake_faults() = {};
  EXPECT_FALSE(honest.device.device_launches);
  EXPECT_FALSE(honest.device.unified_memory_moves);
  EXPECT_EQ(launches.device.device_launches, 1u) << "what was seen was seen";
}

TEST(GpuAudit, WorkOfAKindThatLeavesNoRecordsProvesNothing) {
  using Kind = device::Activity::Kind;
  for (const Kind refused : {Kind::copy, Kind::set, Kind::kernel, Kind::host_function}) {
    fake_faults().refused = refused;
    const AuditedVariant seen = audited(with([](FakeStream& s, auto work) { s.launch(work); }));
    const AuditedVariant aside = audited(with([](FakeStream& s, auto work) { s.other().launch(work); }));
    fake_faults() = {};
    const bool work = refused != Kind::host_function;
    EXPECT_EQ(seen.device.work_outside_window_ns.has_value(), !work);
    EXPECT_EQ(seen.device.undeclared_streams.has_value(), !work);
    EXPECT_EQ(seen.device.work_on_other_devices.has_value(), !work);
    EXPECT_EQ(seen.device.host_functions.has_value(), work);
    EXPECT_EQ(aside.device.undeclared_streams, 1u) << "what was seen was seen";
  }
}

TEST(GpuAudit, WrongAnswersCountHereToo) {
  const AuditedVariant seen = audited(with([](FakeStream& s, auto) { s.launch([] {}); }));
  EXPECT_GT(seen.answers.calls, 0u);
  EXPECT_EQ(seen.answers.wrong, seen.answers.calls);
}

TEST(GpuAudit, CountsTheEnergyOfACall) {
  fake_faults().watts = 100;
  const AuditedVariant seen =
      audited(with([](FakeStream& s, auto work) { s.launch(work); }, 2e6), AuditOf::energy);
  fake_faults().watts = 0;
  ASSERT_TRUE(seen.energy.joules_per_call);
  EXPECT_NEAR(*seen.energy.watts, 100, 100 * (*seen.energy.uncertainty + 0.01));
  EXPECT_NEAR(*seen.energy.idle_watts, 100, 25);
  // Two milliseconds and what a thread takes to begin them, on a machine that may be busy.
  EXPECT_GT(*seen.energy.joules_per_call, 0.9 * 100 * 2e-3);
  EXPECT_LT(*seen.energy.joules_per_call, 4 * 100 * 2e-3);
  EXPECT_EQ(seen.energy.counter, "steps");
  EXPECT_EQ(seen.answers.calls, 1u);
  EXPECT_EQ(seen.answers.wrong, 0u);
}

TEST(GpuAudit, EnergyThatNobodyCountsIsUnknown) {
  const AuditedVariant seen =
      audited(with([](FakeStream& s, auto work) { s.launch(work); }), AuditOf::energy);
  EXPECT_FALSE(seen.energy.joules_per_call);
  EXPECT_FALSE(seen.energy.idle_watts);
}

}  // namespace
}  // namespace aisp::harness
