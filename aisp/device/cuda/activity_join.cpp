// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/activity_join.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace aisp::cuda {
namespace {

using device::Activity;
using Kind = Activity::Kind;

void give_unfinished_their_start(std::vector<Activity>& records, const CallLog& calls,
                                 double recording_began_ns) {
  std::unordered_map<std::uint64_t, double> asked;
  for (const KernelLaunch& launch : calls.launches) asked[launch.call] = launch.at_ns;
  for (const Activity& activity : calls.activities) asked[activity.call] = activity.start_ns;
  for (Activity& record : records) {
    if (record.start_ns != 0) continue;
    const auto found = asked.find(record.call);
    record.start_ns = found != asked.end() ? found->second : recording_began_ns;
  }
}

void mark_cooperative(std::vector<Activity>& records, const std::vector<KernelLaunch>& launches) {
  std::unordered_set<std::uint64_t> cooperative;
  for (const KernelLaunch& launch : launches)
    if (launch.cooperative) cooperative.insert(launch.call);
  if (cooperative.empty()) return;
  for (Activity& record : records)
    if (record.kind == Kind::kernel && cooperative.contains(record.call)) record.cooperative = true;
}

void give_graphs_their_time(std::vector<Activity>& activities) {
  std::unordered_map<std::uint64_t, std::pair<double, double>> nodes;  // start and end, by call
  for (const Activity& node : activities) {
    if (!node.in_graph || node.kind == Kind::host_function) continue;
    auto [found, first] = nodes.try_emplace(node.call, node.start_ns, node.end_ns);
    auto& [start, end] = found->second;
    start = std::min(start, node.start_ns);
    // A node that had not ended: neither had the graph.
    end = first || (end != 0 && node.end_ns != 0) ? std::max(end, node.end_ns) : 0;
  }
  for (Activity& graph : activities) {
    const auto found = nodes.find(graph.call);
    if (graph.kind != Kind::graph || found == nodes.end()) continue;
    std::tie(graph.start_ns, graph.end_ns) = found->second;
  }
}

}  // namespace

std::uint64_t without_record(const std::vector<KernelLaunch>& launches,
                             const std::vector<Activity>& records) {
  std::unordered_set<std::uint64_t> recorded;
  for (const Activity& record : records) {
    if (record.kind == Kind::kernel && !record.device_launched) recorded.insert(record.call);
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(
      launches, [&](const KernelLaunch& launch) { return !recorded.contains(launch.call); }));
}

std::vector<Activity> joined(std::vector<Activity> records, CallLog calls, double recording_began_ns) {
  give_unfinished_their_start(records, calls, recording_began_ns);
  mark_cooperative(records, calls.launches);
  std::ranges::move(calls.activities, std::back_inserter(records));
  give_graphs_their_time(records);
  std::ranges::stable_sort(records, {}, &Activity::start_ns);
  return records;
}

}  // namespace aisp::cuda
