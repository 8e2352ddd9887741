// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/counter_metrics.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace aisp::cuda {
namespace {

using device::CounterGroup;
using device::Counters;

struct Metric {
  CounterGroup group;
  const char* name;
  std::optional<double> Counters::* counter;
  double scale = 1;
};

constexpr double kPercent = 0.01;

constexpr Metric kMetrics[] = {
    {CounterGroup::traffic, "dram__bytes_read.sum", &Counters::dram_read_bytes},
    {CounterGroup::traffic, "dram__bytes_write.sum", &Counters::dram_write_bytes},
    {CounterGroup::time, "gpu__time_duration.avg", &Counters::range_ns},
    {CounterGroup::cache, "lts__t_sector_hit_rate.pct", &Counters::l2_hit_rate, kPercent},
    {CounterGroup::access, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     &Counters::load_sectors_per_request},
    {CounterGroup::access, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
     &Counters::store_sectors_per_request},
    {CounterGroup::occupancy, "sm__warps_active.avg.pct_of_peak_sustained_active", &Counters::occupancy,
     kPercent},
    {CounterGroup::tensor, "sm__inst_executed.sum", &Counters::instructions},
    {CounterGroup::tensor, "sm__inst_executed_pipe_tensor.sum", &Counters::tensor_instructions},
};

// The device's own "active" time of a range is all of it, host included: a processor's cycles say more.
constexpr const char* kBusyCycles = "sm__cycles_active.max";
constexpr const char* kCyclesPerSecond = "sm__cycles_elapsed.avg.per_second";
constexpr double kNsPerSecond = 1e9;

struct StallMetric {
  const char* name;
  const char* reason;
};

// In the words of Nsight Compute, so that they can be looked up.
constexpr StallMetric kStalls[] = {
    {"smsp__warps_issue_stalled_barrier.sum", "barrier"},
    {"smsp__warps_issue_stalled_branch_resolving.sum", "branch resolving"},
    {"smsp__warps_issue_stalled_dispatch_stall.sum", "dispatch"},
    {"smsp__warps_issue_stalled_drain.sum", "drain"},
    {"smsp__warps_issue_stalled_gmma.sum", "warpgroup matrix"},
    {"smsp__warps_issue_stalled_imc_miss.sum", "constant cache miss"},
    {"smsp__warps_issue_stalled_lg_throttle.sum", "memory queue full"},
    {"smsp__warps_issue_stalled_long_scoreboard.sum", "long scoreboard (global memory)"},
    {"smsp__warps_issue_stalled_math_pipe_throttle.sum", "math pipe busy"},
    {"smsp__warps_issue_stalled_membar.sum", "memory barrier"},
    {"smsp__warps_issue_stalled_mio_throttle.sum", "shared-memory queue full"},
    {"smsp__warps_issue_stalled_misc.sum", "misc"},
    {"smsp__warps_issue_stalled_no_instruction.sum", "no instruction"},
    {"smsp__warps_issue_stalled_not_selected.sum", "not selected"},
    {"smsp__warps_issue_stalled_selected.sum", "issuing"},
    {"smsp__warps_issue_stalled_short_scoreboard.sum", "short scoreboard (shared memory)"},
    {"smsp__warps_issue_stalled_sleeping.sum", "sleeping"},
    {"smsp__warps_issue_stalled_tex_throttle.sum", "texture queue full"},
    {"smsp__warps_issue_stalled_wait.sum", "fixed latency"},
};

std::optional<double> value_of(std::string_view name, std::span<const char* const> metrics,
                               std::span<const double> values) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (name == metrics[i] && std::isfinite(values[i])) return values[i];
  }
  return std::nullopt;
}

std::optional<double> unless_zero(std::optional<double> value) {
  return value && *value == 0 ? std::nullopt : value;
}

std::vector<device::Stall> stalls_of(std::span<const char* const> metrics, std::span<const double> values) {
  std::vector<device::Stall> stalls;
  double all = 0;
  for (const StallMetric& stall : kStalls) {
    const auto cycles = value_of(stall.name, metrics, values);
    if (!cycles) continue;
    stalls.push_back({.reason = stall.reason, .share = *cycles});
    all += *cycles;
  }
  if (!(all > 0)) return {};
  for (device::Stall& stall : stalls) stall.share /= all;
  std::ranges::sort(stalls, std::ranges::greater{}, &device::Stall::share);
  return stalls;
}

}  // namespace

std::vector<const char*> metrics_of(std::span<const CounterGroup> groups) {
  const auto wanted = [&](CounterGroup group) { return std::ranges::find(groups, group) != groups.end(); };
  std::vector<const char*> names;
  for (const Metric& metric : kMetrics) {
    if (wanted(metric.group)) names.push_back(metric.name);
  }
  if (wanted(CounterGroup::time)) names.insert(names.end(), {kBusyCycles, kCyclesPerSecond});
  if (wanted(CounterGroup::stalls)) {
    for (const StallMetric& stall : kStalls) names.push_back(stall.name);
  }
  return names;
}

Counters counters_of(std::span<const char* const> metrics, std::span<const double> values) {
  Counters counters;
  for (const Metric& metric : kMetrics) {
    if (const auto value = value_of(metric.name, metrics, values))
      counters.*metric.counter = *value * metric.scale;
  }
  const auto cycles = value_of(kBusyCycles, metrics, values);
  const auto rate = value_of(kCyclesPerSecond, metrics, values);
  if (cycles && rate && *rate > 0) counters.busy_ns = *cycles / *rate * kNsPerSecond;
  // Without requests there is no ratio, whatever the hardware says.
  counters.load_sectors_per_request = unless_zero(counters.load_sectors_per_request);
  counters.store_sectors_per_request = unless_zero(counters.store_sectors_per_request);
  counters.stalls = stalls_of(metrics, values);
  return counters;
}

}  // namespace aisp::cuda
