// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/audit_ledger.h"

#include <algorithm>
#include <functional>

namespace aisp::harness {
namespace {

// Of fewer windows the second largest, or one in the middle, is whatever happened in one of them.
constexpr std::size_t kFewestWindows = 3;

void keep_most(std::optional<std::uint64_t>& into, std::uint64_t count, bool would_show) {
  // What was found is a fact, whether it would always show or not.
  if (would_show || count > 0) into = std::max(into.value_or(0), count);
}

/// The lower of the two in the middle: inputs of one family may take longer than those of another, and who
/// works only while watched, or computes on the host, does so in every window.
std::optional<double> lower_median(std::vector<double> values) {
  if (values.size() < kFewestWindows) return std::nullopt;
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

}  // namespace

void AuditLedger::add(const probes::WindowActivity& found, const device::ActivityRecorder& recorder,
                      std::optional<double> device_ns) {
  using Kind = device::Activity::Kind;
  // Where a kind of work leaves no records, none of them proves where work ran.
  const bool sees_work = recorder.sees(Kind::kernel) && recorder.sees(Kind::copy) && recorder.sees(Kind::set);
  if (sees_work) outside_ns_.push_back(found.outside_ns);
  if (device_ns) device_ns_.push_back(*device_ns);
  if (sees_work && recorder.sees(Kind::driver_call) && found.host_alone_share)
    alone_share_.push_back(*found.host_alone_share);
  // All of them: a library that launches a graph may launch one by one where it is captured.
  if (recorder.sees(Kind::kernel)) kernels_.push_back(found.kernels);
  keep_most(seen_.undeclared_streams, found.other_streams, sees_work);
  keep_most(seen_.compilations_in_window, found.compilations, recorder.sees(Kind::compilation));
  keep_most(seen_.allocations_in_window, found.allocations, recorder.sees(Kind::allocation));
  keep_most(seen_.host_functions, found.host_functions, recorder.sees(Kind::host_function));
  keep_most(seen_.work_on_other_devices, found.other_devices, sees_work);
  keep_most(seen_.cooperative_launches, found.cooperative, recorder.sees(Kind::kernel));
  keep_most(seen_.device_launches, found.device_launches, recorder.knows_launching_code());
  keep_most(seen_.unified_memory_moves, found.faults, recorder.sees(Kind::unified_memory));
  keep_most(seen_.audited_pieces, found.pieces, sees_work);
}

DeviceEvidence AuditLedger::evidence() const {
  DeviceEvidence evidence = seen_;
  // But for one window: the records' clock is off by microseconds now and then, and what happens in a single
  // one of four moves no median.
  if (outside_ns_.size() >= kFewestWindows) {
    std::vector<double> sorted = outside_ns_;
    std::ranges::sort(sorted, std::greater());
    evidence.work_outside_window_ns = sorted[1];
  }
  evidence.audited_ns = lower_median(device_ns_);
  evidence.host_alone_share = lower_median(alone_share_);
  if (kernels_.size() >= kFewestWindows &&
      std::ranges::count(kernels_, kernels_.front()) == std::ssize(kernels_))
    evidence.audited_kernels = kernels_.front();
  return evidence;
}

}  // namespace aisp::harness
