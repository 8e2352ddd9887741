// SPDX-License-Identifier: Apache-2.0
// Calls that are captured once and timed as one graph.
#include <gtest/gtest.h>

#include "aisp/harness/gpu_sampler.h"
#include "example.h"
#include "fake_gpu.h"
#include "fake_stream.h"

namespace aisp::harness {
namespace {

void queue_doubling(const Call& call) {
  FakeStream::of(call).launch([x = call.input<float>(0), y = call.output<float>(0)] {
    for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
  });
}

class GpuGraph : public testing::Test {
 protected:
  GpuGraph() { fake_faults() = {}; }

  std::unique_ptr<Sampler> open(std::vector<std::pair<std::string, aisp::Run>> variants,
                                const std::string& host_sync = "") {
    workload_ = example("test/graph", std::move(variants));
    workload_.device = DeviceKind::cuda;
    for (Variant& variant : workload_.variants) variant.host_sync = variant.name == host_sync;
    CellSpec spec = cell_of(workload_);
    spec.device = "cuda:0";
    spec.cache = CacheMode::cold;
    spec.graph = true;
    auto sampler = Sampler::open(workload_, spec, [](const std::string&) {});
    EXPECT_TRUE(sampler);
    return sampler ? *std::move(sampler) : nullptr;
  }
  Workload workload_;
};

TEST_F(GpuGraph, HostCodeRunsOnceAndItsWorkEveryTime) {
  int calls = 0;
  const auto sampler = open({{"counted", CallFunction([&](const Call& call) {
                                ++calls;
                                queue_doubling(call);
                              })}});
  const int before = calls;
  for (int i = 0; i < 4; ++i) sampler->round(i);
  EXPECT_EQ(calls, before) << "only the graph is launched";
  const Evidence e = sampler->close().variants.back().evidence;
  EXPECT_EQ(e.timing.instrument, Instrument::graph);
  EXPECT_GE(e.answers.calls, 4u);
  EXPECT_EQ(e.answers.wrong + e.answers.unwritten + e.answers.stale, 0u) << "of fresh inputs each time";
}

TEST_F(GpuGraph, WhatCannotBeCapturedIsSkippedWithTheReason) {
  const auto sampler = open({{"queues", CallFunction(queue_doubling)},
                             {"waits", CallFunction([](const Call& call) {
                                queue_doubling(call);
                                FakeStream::of(call).synchronise();
                              })},
                             {"too", CallFunction(queue_doubling)}});
  const auto& variants = sampler->opened().variants;
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[0].skipped, "");
  EXPECT_EQ(variants[1].skipped, "cannot be captured: the stream is being captured");
  EXPECT_EQ(variants[2].skipped, "");
  for (const SlotReport& slot : sampler->round(0).slots) EXPECT_NE(slot.variant, "waits");
  EXPECT_EQ(sampler->close().variants.size(), 2u);
}

TEST_F(GpuGraph, AVariantThatWaitsMakesAllOfThemCalls) {
  const auto sampler =
      open({{"queues", CallFunction(queue_doubling)}, {"waits", CallFunction(queue_doubling)}}, "waits");
  sampler->round(0);
  for (const ClosedVariant& v : sampler->close().variants)
    EXPECT_EQ(v.evidence.timing.instrument, Instrument::call);
}

}  // namespace
}  // namespace aisp::harness
