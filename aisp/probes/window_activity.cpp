// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/window_activity.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace aisp::probes {
namespace {

using device::Activity;
using Kind = Activity::Kind;

// The first event comes about a microsecond after the gate has ended, and the window is reckoned from there.
constexpr double kSlackNs = 1000;

bool is_work(const Activity& a) {
  return a.kind == Kind::kernel || a.kind == Kind::copy || a.kind == Kind::set;
}

bool elsewhere(const Activity& a, std::uint32_t device) {
  return a.device != device || a.peer_device.value_or(device) != device;
}

double length(const Activity& a, double stopped_ns) {
  return (a.end_ns == 0 ? stopped_ns : a.end_ns) - a.start_ns;
}

/// The share of [begin, end] in which the thread that made the call was not in the driver and no device had
/// work. Other threads in the driver do not cover for it: to be there costs them nothing.
double alone_share(const RecordedWindow& window, double begin, double end) {
  std::vector<std::pair<double, double>> busy;
  for (const Activity& a : window.records) {
    if (is_work(a) || (a.kind == Kind::driver_call && a.thread == window.thread))
      busy.emplace_back(a.start_ns, a.start_ns + length(a, window.stopped_ns));
  }
  std::ranges::sort(busy);
  double alone = 0, until = begin;
  for (const auto& [from, to] : busy) {
    alone += std::max(0.0, std::min(from, end) - until);
    until = std::max(until, std::min(to, end));
  }
  alone += std::max(0.0, end - until);
  return end > begin ? alone / (end - begin) : 0;
}

}  // namespace

Preparation preparation_of(std::span<const device::Activity> records) {
  Preparation found;
  for (const Activity& a : records) {
    if (!is_work(a)) continue;
    ++found.pieces;
    found.ns += a.end_ns - a.start_ns;
  }
  return found;
}

WindowActivity activity_of(const RecordedWindow& window) {
  WindowActivity found;
  // The gate is the first kernel of the timed stream after the harness closed it.
  const auto gate = std::ranges::find_if(window.records, [&](const Activity& a) {
    // Streams are counted anew on every device.
    return !window.returned_ns && a.kind == Kind::kernel && a.stream == window.stream &&
           a.device == window.device && a.start_ns >= window.called_ns;
  });
  const bool gated = gate != window.records.end();
  const double begin = gated ? gate->end_ns : window.called_ns;
  const double end = window.returned_ns.value_or(begin + window.device_ns + kSlackNs);
  std::uint64_t before = 0;
  double before_ns = 0;
  for (const Activity& a : window.records) {
    if (gated && &a == &*gate) continue;
    const bool inside = a.start_ns >= window.called_ns;
    switch (a.kind) {
      case Kind::kernel:
      case Kind::copy:
      case Kind::set:
        if (a.end_ns == 0) ++found.not_over;
        if (elsewhere(a, window.device)) ++found.other_devices;
        if (!inside) {
          ++before;
          before_ns += length(a, window.stopped_ns);
          break;
        }
        if (a.stream != window.stream && !a.in_graph) ++found.other_streams;
        ++found.pieces;
        if (a.kind == Kind::kernel && !a.device_launched) ++found.kernels;
        if (a.device_launched || a.can_launch) ++found.device_launches;
        if (a.cooperative && !a.device_launched) ++found.cooperative;
        found.outside_ns += std::max(0.0, std::min(begin, a.end_ns == 0 ? begin : a.end_ns) - a.start_ns);
        found.outside_ns +=
            std::max(0.0, a.start_ns + length(a, window.stopped_ns) - std::max(a.start_ns, end));
        break;
      case Kind::host_function:
        found.host_functions += inside ? 1 : 0;
        break;
      case Kind::allocation:
      case Kind::release:
        found.allocations += inside ? 1 : 0;
        break;
      case Kind::compilation:
        found.compilations += inside ? 1 : 0;
        break;
      case Kind::unified_memory:
        found.faults += inside ? 1 : 0;
        break;
      case Kind::graph:
      case Kind::synchronisation:
      case Kind::driver_call:
        break;
    }
  }
  // What ran before beyond the harness's own pieces is somebody else's, whichever stream it used.
  if (before > window.trusted) found.outside_ns += std::max(before_ns - window.trusted_ns, 1.0);
  if (window.returned_ns) found.host_alone_share = alone_share(window, window.called_ns, *window.returned_ns);
  return found;
}

}  // namespace aisp::probes
