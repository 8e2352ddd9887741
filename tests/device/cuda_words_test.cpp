// SPDX-License-Identifier: Apache-2.0
// CUPTI's metrics and NVML's numbers in this program's terms: on made-up values, without CUDA.
#include <gtest/gtest.h>

#include <cmath>

#include "aisp/device/cuda/counter_metrics.h"
#include "aisp/device/cuda/sensor_words.h"

namespace aisp::cuda {
namespace {

using device::CounterGroup;
using Names = std::vector<const char*>;
using Words = std::vector<std::string>;

TEST(CudaMetrics, EachGroupAsksForItsOwn) {
  const std::vector traffic{CounterGroup::traffic};
  EXPECT_EQ(metrics_of(traffic).size(), 2u);
  EXPECT_STREQ(metrics_of(traffic)[0], "dram__bytes_read.sum");
  EXPECT_EQ(metrics_of(std::vector{CounterGroup::time}).size(), 3u) << "cycles and their rate, too";
  EXPECT_GT(metrics_of(std::vector{CounterGroup::stalls}).size(), 10u);
  EXPECT_EQ(metrics_of(std::vector{CounterGroup::traffic, CounterGroup::cache}).size(), 3u);
  EXPECT_TRUE(metrics_of({}).empty());
}

TEST(CudaMetrics, ValuesFindTheirCountersByName) {
  const Names names{"lts__t_sector_hit_rate.pct", "dram__bytes_read.sum", "sm__inst_executed.sum"};
  const device::Counters seen = counters_of(names, std::vector{37.5, 4096.0, 12.0});
  EXPECT_EQ(seen.dram_read_bytes, 4096);
  EXPECT_EQ(seen.l2_hit_rate, 0.375) << "a share, not per cent";
  EXPECT_EQ(seen.instructions, 12);
  EXPECT_FALSE(seen.dram_write_bytes) << "not asked for: unknown, never zero";
  EXPECT_FALSE(seen.busy_ns);
  EXPECT_TRUE(seen.stalls.empty());
}

TEST(CudaMetrics, WhatIsNoNumberIsUnknown) {
  const device::Counters seen =
      counters_of(Names{"dram__bytes_read.sum", "dram__bytes_write.sum"}, std::vector<double>{NAN, INFINITY});
  EXPECT_FALSE(seen.dram_read_bytes);
  EXPECT_FALSE(seen.dram_write_bytes);
}

TEST(CudaMetrics, WithoutRequestsThereIsNoRatioOfThem) {
  const Names names{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"};
  const device::Counters seen = counters_of(names, std::vector{4.0, 0.0});
  EXPECT_EQ(seen.load_sectors_per_request, 4);
  EXPECT_FALSE(seen.store_sectors_per_request);
}

TEST(CudaMetrics, BusyTimeIsCyclesAtTheirRate) {
  const Names names{"sm__cycles_active.max", "sm__cycles_elapsed.avg.per_second"};
  EXPECT_DOUBLE_EQ(counters_of(names, std::vector{1800.0, 1.8e9}).busy_ns.value(), 1000);
  EXPECT_FALSE(counters_of(names, std::vector{1800.0, 0.0}).busy_ns);
  EXPECT_FALSE(counters_of(Names{"sm__cycles_active.max"}, std::vector{1800.0}).busy_ns);
}

TEST(CudaMetrics, StallsAreSharesLargestFirst) {
  const Names names{"smsp__warps_issue_stalled_barrier.sum", "smsp__warps_issue_stalled_misc.sum",
                    "smsp__warps_issue_stalled_wait.sum"};
  const device::Counters seen = counters_of(names, std::vector{1.0, 0.0, 3.0});
  ASSERT_EQ(seen.stalls.size(), 3u);
  EXPECT_EQ(seen.stalls[0].reason, "fixed latency");
  EXPECT_EQ(seen.stalls[0].share, 0.75);
  EXPECT_EQ(seen.stalls[1].reason, "barrier");
  EXPECT_TRUE(counters_of(names, std::vector{0.0, 0.0, 0.0}).stalls.empty())
      << "of nothing there are no shares";
}

TEST(CudaSensors, ReasonsHaveWordsAndUnknownOnesTheirNumber) {
  EXPECT_EQ(throttle_words(0), Words{});
  EXPECT_EQ(throttle_words(0x004), Words{"power cap"});
  EXPECT_EQ(throttle_words(0x048), (Words{"hardware slowdown", "hardware thermal slowdown"}));
  EXPECT_EQ(throttle_words(0x1001), (Words{"idle", "reason 4096"}));
}

TEST(CudaSensors, ModesHaveWords) {
  EXPECT_EQ(compute_mode_word(0), "default");
  EXPECT_EQ(compute_mode_word(3), "exclusive process");
  EXPECT_EQ(compute_mode_word(4), std::nullopt);
  EXPECT_EQ(compute_mode_word(-1), std::nullopt);
  EXPECT_EQ(compute_mode_word(std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace aisp::cuda
