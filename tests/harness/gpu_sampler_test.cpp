// SPDX-License-Identifier: Apache-2.0
// Cells on a GPU, on one that is made of threads: what is timed, what is checked, and what is recorded.
#include "aisp/harness/gpu_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "aisp/device/clock.h"
#include "aisp/device/gpu/gpu_error.h"
#include "example.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

void spin(double ns) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
  }
}

using Kernel = std::function<void(View<const float>, View<float>)>;

void doubled(View<const float> x, View<float> y) {
  for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
}

/// A variant that queues one kernel.
Run launching(Kernel kernel) {
  return CallFunction([kernel = std::move(kernel)](const Call& call) {
    FakeStream::of(call).launch([=, x = call.input<float>(0), y = call.output<float>(0)] { kernel(x, y); });
  });
}
Run slow(double ns) {
  return launching([ns](View<const float> x, View<float> y) {
    spin(ns);
    doubled(x, y);
  });
}

class GpuSampler : public testing::Test {
 protected:
  GpuSampler() { fake_faults() = {}; }
  ~GpuSampler() override { fake_faults() = {}; }

  Workload workload(std::vector<std::pair<std::string, aisp::Run>> variants) {
    Workload w = example("test/gpu", std::move(variants));
    w.device = DeviceKind::cuda;
    return w;
  }
  CellSpec cell(const Workload& w) {
    CellSpec spec = cell_of(w);
    spec.device = "cuda:0";
    spec.cache = CacheMode::cold;
    return spec;
  }
  Result<std::unique_ptr<Sampler>> open(const Workload& w) {
    return Sampler::open(w, cell(w), [](const std::string&) {});
  }
  /// Of the last variant, after some rounds; `ns` gets its fastest time.
  Evidence sampled(const Workload& w, int rounds = 4, double* ns = nullptr) {
    auto sampler = open(w);
    if (!sampler) throw std::runtime_error(sampler.error().message);
    const std::string last = w.variants.back().name;
    double fastest = HUGE_VAL;
    for (int i = 0; i < rounds; ++i) {
      for (const SlotReport& slot : (*sampler)->round(i).slots)
        if (slot.variant == last) fastest = std::min(fastest, slot.ns);
    }
    if (ns != nullptr) *ns = fastest;
    return (*sampler)->close().variants.back().evidence;
  }
};

TEST_F(GpuSampler, AnHonestVariantLeavesFaultlessEvidence) {
  double ns = 0;
  const Evidence e = sampled(workload({{"honest", slow(60e3)}}), 4, &ns);
  EXPECT_EQ(e.device, DeviceKind::cuda);
  EXPECT_EQ(e.answers.calls, 8u) << "twice a round: the baseline is measured against itself";
  EXPECT_EQ(e.answers.checked, e.answers.calls);
  EXPECT_EQ(e.answers.wrong + e.answers.out_of_bounds + e.answers.inputs_changed, 0u);
  EXPECT_EQ(e.answers.families, 2);
  EXPECT_EQ(e.answers.distinct_inputs, 4u);
  EXPECT_EQ(e.accelerator.waited, 0u);
  EXPECT_GE(ns, 60e3) << "the time of the device, not of the call";
}

TEST_F(GpuSampler, TensorsOnTheHostAreInTheMemoryThatAVariantDeclares) {
  for (const bool pinned : {false, true}) {
    bool seen = !pinned;
    Workload w = workload({{"copies", CallFunction([&](const Call& call) {
                              seen = fake_sees(call.input<float>(0).data);
                              FakeStream::of(call).launch(
                                  [x = call.input<float>(0), y = call.output<float>(0)] { doubled(x, y); });
                            })}});
    w.variants.back().pinned = pinned;
    w.problem = [problem = w.problem](const Params& params) {
      Problem result = problem(params);
      result.tensors.front().place = Place::host;
      return result;
    };
    const Evidence e = sampled(w);
    EXPECT_EQ(seen, pinned);
    EXPECT_EQ(e.answers.wrong + e.answers.out_of_bounds + e.answers.inputs_changed, 0u);
    EXPECT_EQ(e.answers.checked, e.answers.calls);
  }
}

TEST_F(GpuSampler, AnswersThatNobodyWroteAreUnwritten) {
  const Evidence e = sampled(workload({{"lazy", launching([](auto, auto) {})}}));
  EXPECT_EQ(e.answers.unwritten, e.answers.calls);
}

TEST_F(GpuSampler, OneWrongElementIsFound) {
  const Evidence e = sampled(workload({{"wrong", launching([](View<const float> x, View<float> y) {
                                          doubled(x, y);
                                          y[7] += 1;
                                        })}}));
  EXPECT_EQ(e.answers.wrong, e.answers.calls);
  EXPECT_NE(e.answers.first_wrong.find("y[7]"), std::string::npos) << e.answers.first_wrong;
}

TEST_F(GpuSampler, WritesOutsideAndToInputsAreFound) {
  const Evidence outside = sampled(workload({{"outside", launching([](View<const float> x, View<float> y) {
                                                doubled(x, y);
                                                y.data[y.size] = 0;
                                              })}}));
  EXPECT_EQ(outside.answers.out_of_bounds, outside.answers.calls);
  const Evidence changed = sampled(workload({{"changes", launching([](View<const float> x, View<float> y) {
                                                doubled(x, y);
                                                const_cast<float*>(x.data)[3] = 5;
                                              })}}));
  EXPECT_EQ(changed.answers.inputs_changed, changed.answers.calls);
  EXPECT_EQ(changed.answers.wrong, 0u) << "inputs are drawn again before the next call";
}

TEST_F(GpuSampler, TheAnswerToTheRoundBeforeIsStale) {
  auto kept = std::make_shared<std::vector<float>>();
  const Evidence e = sampled(workload({{"stale", launching([kept](View<const float> x, View<float> y) {
                                          std::vector<float> now(static_cast<std::size_t>(x.size));
                                          doubled(x, {now.data(), x.size, {}});
                                          if (kept->empty()) *kept = now;
                                          std::ranges::copy(*kept, y.data);
                                        })}}));
  EXPECT_GE(e.answers.stale, e.answers.calls - 2);
}

TEST_F(GpuSampler, WorkOnAnotherStreamShowsAsLate) {
  const Evidence e = sampled(workload({{"late", CallFunction([](const Call& call) {
                                          FakeStream::of(call).launch([] { spin(1e6); });
                                          FakeStream::of(call).other().launch(
                                              [x = call.input<float>(0), y = call.output<float>(0)] {
                                                spin(15e6);
                                                doubled(x, y);
                                              });
                                        })}}));
  EXPECT_GT(e.accelerator.late_ns.value_or(0), 5e6) << "far more than a busy machine takes to wake a thread";
  const Evidence honest = sampled(workload({{"honest", slow(60e3)}}), 12);
  EXPECT_LT(honest.accelerator.late_ns.value_or(1e9), 5e6);
}

TEST_F(GpuSampler, ACallThatWaitsForTheDeviceIsCounted) {
  const CallFunction waits = [](const Call& call) {
    FakeStream::of(call).launch([x = call.input<float>(0), y = call.output<float>(0)] { doubled(x, y); });
    FakeStream::of(call).synchronise();
  };
  const Evidence e = sampled(workload({{"waits", waits}}));
  EXPECT_EQ(e.accelerator.waited, e.answers.calls);
  Workload declared = workload({{"waits", waits}});
  declared.variants.front().host_sync = true;
  const DeviceEvidence ungated = sampled(declared).accelerator;
  EXPECT_EQ(ungated.waited, std::nullopt) << "there was no gate";
  EXPECT_EQ(ungated.late_ns, std::nullopt);
  EXPECT_EQ(ungated.device_over_wall, std::nullopt);
  EXPECT_EQ(ungated.host_over_launching, std::nullopt);
}

TEST_F(GpuSampler, OneInstrumentTimesAllVariantsOfACell) {
  const auto instruments = [&](Workload w, CacheMode cache, bool declared) {
    w.variants.back().host_sync = declared;
    CellSpec spec = cell(w);
    spec.cache = cache;
    const auto sampler = Sampler::open(w, spec, [](const std::string&) {});
    std::vector<std::string> names;
    for (const ClosedVariant& v : ((*sampler)->round(0), (*sampler)->close()).variants)
      names.emplace_back(name_of(v.evidence.timing.instrument.value()));
    return names;
  };
  const Workload two = workload({{"queues", slow(20e3)}, {"waits", slow(20e3)}});
  using Names = std::vector<std::string>;
  EXPECT_EQ(instruments(two, CacheMode::cold, false), Names(2, "isolated device time"));
  EXPECT_EQ(instruments(two, CacheMode::steady, false), Names(2, "steady period"));
  EXPECT_EQ(instruments(two, CacheMode::cold, true), Names(2, "call latency"))
      << "launching and waiting count for both sides or for none";
  Workload alone = two;
  alone.variants.back().unavailable = [](const Params&) { return "not here"; };
  EXPECT_EQ(instruments(alone, CacheMode::cold, true), Names(1, "isolated device time"));
}

TEST_F(GpuSampler, WorkOnTheHostIsTimedToo) {
  double ns = 0;
  const Evidence e = sampled(workload({{"host", CallFunction([](const Call& call) {
                                          spin(400e3);
                                          doubled(call.input<float>(0), call.output<float>(0));
                                          FakeStream::of(call).launch([] {});
                                        })}}),
                             4, &ns);
  EXPECT_GE(ns, 400e3);
  EXPECT_GT(e.accelerator.host_over_launching.value(), 2) << "launching explains none of it";
}

TEST_F(GpuSampler, DeviceTimeIsComparedWithTheWallClock) {
  const Evidence honest = sampled(workload({{"honest", slow(60e3)}}));
  ASSERT_TRUE(honest.accelerator.device_over_wall);
  EXPECT_GT(*honest.accelerator.device_over_wall, 0);
  fake_faults().clock_runs = 0.25;
  const Evidence forged = sampled(workload({{"honest", slow(60e3)}}));
  EXPECT_LT(*forged.accelerator.device_over_wall, 0.5 * *honest.accelerator.device_over_wall)
      << "a device whose clock runs at a quarter of the pace";
}

TEST_F(GpuSampler, WorkOnAnotherStreamIsInTheWallClockAlone) {
  const Workload aside =
      workload({{"aside", CallFunction([](const Call& call) {
                   FakeStream::of(call).launch([] {});
                   FakeStream::of(call).other().launch([x = call.input<float>(0), y = call.output<float>(0)] {
                     spin(200e3);
                     doubled(x, y);
                   });
                 })}});
  const Evidence honest = sampled(workload({{"honest", slow(200e3)}}));
  EXPECT_GT(honest.accelerator.device_over_wall.value_or(0), 0.6);
  EXPECT_LT(sampled(aside).accelerator.device_over_wall.value_or(1), 0.3)
      << "events on the timed stream do not see it";
}

TEST_F(GpuSampler, WhoElseUsesTheDeviceIsCountedByName) {
  const Workload w = workload({{"honest", slow(20e3)}});
  const auto others = [&] { return sampled(w, 1).accelerator.foreign_processes; };
  EXPECT_EQ(others(), 0u);
  fake_faults().other_processes = 1;
  EXPECT_EQ(others(), 1u) << "however many attempts there are";
  fake_faults().other_processes = 2;
  EXPECT_EQ(others(), 2u) << "one of them through a shared server";
  fake_faults() = {.unlisted = true};
  EXPECT_EQ(others(), std::nullopt) << "a list without this process is not of this machine";
}

TEST_F(GpuSampler, WhatDoesNotFitIsRefusedAndWhatFailsIsSaid) {
  const Workload w = workload({{"honest", slow(60e3)}});
  fake_faults().memory_bytes = 4000;
  const auto full = open(w);
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("device's memory"), std::string::npos) << full.error().message;
  fake_faults() = {.missing = true};
  ASSERT_FALSE(open(w));
  fake_faults() = {.fail_allocation = 2};
  EXPECT_THROW(static_cast<void>(open(w)), device::GpuError) << "the worker tells the coordinator";
}

TEST_F(GpuSampler, SteadyModeRotatesThroughMoreThanTheCacheHolds) {
  const Workload w = workload({{"honest", slow(20e3)}});
  CellSpec spec = cell(w);
  spec.cache = CacheMode::steady;
  auto sampler = Sampler::open(w, spec, [](const std::string&) {});
  ASSERT_TRUE(sampler);
  const double set_bytes = 2.0 * kExampleElements * sizeof(float);
  EXPECT_GE((*sampler)->opened().calls * set_bytes, 2 * 65536.0);
  const RoundReport round = (*sampler)->round(0);
  EXPECT_EQ(round.slots.front().calls, (*sampler)->opened().calls);
  EXPECT_GE(round.slots.front().ns, 20e3) << "for one call";
  EXPECT_GE((*sampler)->close().variants.front().evidence.accelerator.rotation_over_cache.value_or(0), 2);
}

TEST_F(GpuSampler, SetsThatDoNotFillALargeCacheAreTold) {
  const Workload w = workload({{"honest", slow(1e3)}});
  CellSpec spec = cell(w);
  spec.cache = CacheMode::steady;
  fake_faults().cache_bytes = std::size_t{1} << 26;
  auto sampler = Sampler::open(w, spec, [](const std::string&) {});
  ASSERT_TRUE(sampler);
  const double set_bytes = 2.0 * kExampleElements * sizeof(float);
  const int calls = (*sampler)->opened().calls;
  ASSERT_LT(calls * set_bytes, 2.0 * (1 << 26)) << "a window has no room for more calls";
  static_cast<void>((*sampler)->round(0));
  const DeviceEvidence seen = (*sampler)->close().variants.front().evidence.accelerator;
  EXPECT_DOUBLE_EQ(seen.rotation_over_cache.value_or(0), calls * set_bytes / (1 << 26));
  EXPECT_EQ(sampled(w).accelerator.rotation_over_cache, std::nullopt) << "cold calls do not rotate";
}

}  // namespace
}  // namespace aisp::harness
