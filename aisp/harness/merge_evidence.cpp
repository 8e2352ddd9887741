// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/merge_evidence.h"

#include <algorithm>
#include <cmath>

namespace aisp::harness {
namespace {

template <class T>
void add(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = into.value_or(T{}) + *from;
}
template <class T>
void largest(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = into ? std::max(*into, *from) : *from;
}
void either(std::optional<bool>& into, const std::optional<bool>& from) {
  if (from) into = into.value_or(false) || *from;
}
template <class T>
void keep(std::optional<T>& into, const std::optional<T>& from) {
  if (!into) into = from;
}

void merge(AnswerEvidence& into, const AnswerEvidence& from) {
  into.calls += from.calls;
  into.checked += from.checked;
  into.wrong += from.wrong;
  into.not_finite += from.not_finite;
  into.unwritten += from.unwritten;
  into.stale += from.stale;
  into.constant += from.constant;
  into.out_of_bounds += from.out_of_bounds;
  into.inputs_changed += from.inputs_changed;
  into.unanswered += from.unanswered;
  into.answered_twice += from.answered_twice;
  into.worst_error = std::max(into.worst_error, from.worst_error);
  if (into.first_wrong.empty()) into.first_wrong = from.first_wrong;
  into.miss_probability = std::max(into.miss_probability, from.miss_probability);
  into.families = std::max(into.families, from.families);
  into.distinct_inputs += from.distinct_inputs;
}

void merge(TimingEvidence& into, const TimingEvidence& from) {
  into.clock_resolution_ns = std::max(into.clock_resolution_ns, from.clock_resolution_ns);
  into.clock_cost_ns = std::max(into.clock_cost_ns, from.clock_cost_ns);
  into.shortest_window_ns = into.shortest_window_ns > 0 ? std::min(into.shortest_window_ns, from.shortest_window_ns)
                                                        : from.shortest_window_ns;
  const auto magnitude = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  if (from.clock_disagreement_ppm) {
    into.clock_disagreement_ppm =
        std::max(into.clock_disagreement_ppm.value_or(0), *from.clock_disagreement_ppm, magnitude);
  }
  largest(into.longest_gap_ns, from.longest_gap_ns);
}

void merge(ProcessEvidence& into, const ProcessEvidence& from) {
  keep(into.threads_before, from.threads_before);
  largest(into.threads_after, from.threads_after);
  largest(into.cpu_after_return_ns, from.cpu_after_return_ns);
  add(into.cpu_in_windows_ns, from.cpu_in_windows_ns);
  add(into.wall_in_windows_ns, from.wall_in_windows_ns);
  add(into.minor_faults, from.minor_faults);
  add(into.major_faults, from.major_faults);
  add(into.involuntary_switches, from.involuntary_switches);
  add(into.swapped_pages, from.swapped_pages);
  add(into.throttled_periods, from.throttled_periods);
  add(into.steal_ns, from.steal_ns);
  add(into.migrations, from.migrations);
  either(into.rounding_mode_changed, from.rounding_mode_changed);
}

void merge(EnvironmentEvidence& into, const EnvironmentEvidence& from) {
  either(into.traced, from.traced);
  keep(into.injected, from.injected);
  keep(into.governor, from.governor);
  either(into.governor_changed, from.governor_changed);
  if (into.governor && from.governor && *into.governor != *from.governor) into.governor_changed = true;
  keep(into.virtualised, from.virtualised);
  largest(into.load_before, from.load_before);
  keep(into.cpu_quota, from.cpu_quota);
  keep(into.affinity, from.affinity);
  either(into.priority_raised, from.priority_raised);
  add(into.thermal_throttles, from.thermal_throttles);
}

}  // namespace

void merge_evidence(Evidence& into, const Evidence& from) {
  into.workload = from.workload;
  into.variant = from.variant;
  into.shape = from.shape;
  into.device = from.device;
  into.threads = from.threads;
  merge(into.answers, from.answers);
  merge(into.timing, from.timing);
  merge(into.process, from.process);
  merge(into.environment, from.environment);
}

}  // namespace aisp::harness
