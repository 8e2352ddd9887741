// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/merge_evidence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string_view>

namespace aisp::harness {
namespace {

// A fact that one attempt could not establish is unknown for all of them, unless another has already
// established the worse: a debugger seen once was there, and faults counted in one attempt are at least as
// many in all.
template <class T, class Join>
void join(std::optional<T>& into, const std::optional<T>& from, Join how) {
  into = into && from ? std::optional<T>(how(*into, *from)) : std::nullopt;
}
template <class T>
void add(std::optional<T>& into, const std::optional<T>& from) {
  if (!into && from && *from > T{}) into = T{};
  if (into && !from && *into > T{}) return;
  join(into, from, [](const T& a, const T& b) { return a + b; });
}
template <class T>
void largest(std::optional<T>& into, const std::optional<T>& from) {
  join(into, from, [](const T& a, const T& b) { return std::max(a, b); });
}
template <class T>
void smallest(std::optional<T>& into, const std::optional<T>& from) {
  join(into, from, [](const T& a, const T& b) { return std::min(a, b); });
}
/// Of counts of faults.
template <class T>
void most(std::optional<T>& into, const std::optional<T>& from) {
  const T seen = std::max(into.value_or(T{}), from.value_or(T{}));
  into = (into && from) || seen > T{} ? std::optional<T>(seen) : std::nullopt;
}
void either(std::optional<bool>& into, const std::optional<bool>& from) {
  if (into.value_or(false) || from.value_or(false)) {
    into = true;
    return;
  }
  join(into, from, [](bool a, bool b) { return a || b; });
}
/// The same in every attempt, or both are named.
void agree(std::optional<std::string>& into, const std::optional<std::string>& from) {
  join(into, from, [](const std::string& a, const std::string& b) { return a == b ? a : a + ", then " + b; });
}

void merge(TimingEvidence& into, const TimingEvidence& from) {
  into.clock_resolution_ns = std::max(into.clock_resolution_ns, from.clock_resolution_ns);
  into.clock_cost_ns = std::max(into.clock_cost_ns, from.clock_cost_ns);
  into.shortest_window_ns = into.shortest_window_ns > 0
                                ? std::min(into.shortest_window_ns, from.shortest_window_ns)
                                : from.shortest_window_ns;
  join(into.clock_disagreement_ppm, from.clock_disagreement_ppm,
       [](double a, double b) { return std::fabs(a) < std::fabs(b) ? b : a; });
  if (into.instrument != from.instrument) into.instrument.reset();
}

void merge(ProcessEvidence& into, const ProcessEvidence& from) {
  smallest(into.threads_before, from.threads_before);
  largest(into.threads_after, from.threads_after);
  largest(into.cpu_after_return_ns, from.cpu_after_return_ns);
  add(into.cpu_in_windows_ns, from.cpu_in_windows_ns);
  add(into.others_cpu_in_windows_ns, from.others_cpu_in_windows_ns);
  add(into.wall_in_windows_ns, from.wall_in_windows_ns);
  add(into.minor_faults, from.minor_faults);
  add(into.major_faults, from.major_faults);
  add(into.involuntary_switches, from.involuntary_switches);
  add(into.swapped_pages, from.swapped_pages);
  add(into.throttled_periods, from.throttled_periods);
  add(into.steal_ns, from.steal_ns);
  add(into.migrations, from.migrations);
  either(into.rounding_mode_changed, from.rounding_mode_changed);
  either(into.cores_changed, from.cores_changed);
  either(into.handlers_changed, from.handlers_changed);
  largest(into.finish_share, from.finish_share);
}

/// The range of both. Where one does not know its limit, a range that shows a change already stays.
void merge_power_limits(EnvironmentEvidence& into, const EnvironmentEvidence& from) {
  const auto changed = [](const EnvironmentEvidence& e) {
    return e.lowest_power_limit_w && e.highest_power_limit_w &&
           *e.lowest_power_limit_w < *e.highest_power_limit_w;
  };
  if (!into.lowest_power_limit_w && changed(from)) {
    into.lowest_power_limit_w = from.lowest_power_limit_w;
    into.highest_power_limit_w = from.highest_power_limit_w;
    return;
  }
  if (!from.lowest_power_limit_w && changed(into)) return;
  smallest(into.lowest_power_limit_w, from.lowest_power_limit_w);
  largest(into.highest_power_limit_w, from.highest_power_limit_w);
}

void merge(EnvironmentEvidence& into, const EnvironmentEvidence& from) {
  either(into.traced, from.traced);
  agree(into.injected, from.injected);
  either(into.governor_changed, from.governor_changed);
  if (into.governor && from.governor && *into.governor != *from.governor) into.governor_changed = true;
  agree(into.governor, from.governor);
  agree(into.virtualised, from.virtualised);
  largest(into.load_before, from.load_before);
  agree(into.cpu_quota, from.cpu_quota);
  agree(into.affinity, from.affinity);
  either(into.priority_raised, from.priority_raised);
  add(into.thermal_throttles, from.thermal_throttles);
  merge_power_limits(into, from);
}

/// Of two lists with commas between, every word once, in order.
std::string every_word(const std::string& a, const std::string& b) {
  std::set<std::string> words;
  for (const std::string_view list : {std::string_view(a), std::string_view(b)}) {
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find(", ", at), list.size());
      words.emplace(list.substr(at, end - at));
      at = end + 2;
    }
  }
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

/// `weight`: of the calls of both, the share that `from` stands for.
void merge(DeviceEvidence& into, const DeviceEvidence& from, double weight) {
  largest(into.late_ns, from.late_ns);
  add(into.waited, from.waited);
  add(into.persisting_calls, from.persisting_calls);
  most(into.foreign_processes, from.foreign_processes);
  // Attempts take turns, so that an error is new in all that were open: a sum would count it again.
  most(into.new_ecc_corrected, from.new_ecc_corrected);
  most(into.new_ecc_uncorrected, from.new_ecc_uncorrected);
  join(into.ecc, from.ecc, [](bool a, bool b) { return a && b; });
  largest(into.highest_celsius, from.highest_celsius);
  largest(into.host_over_launching, from.host_over_launching);
  largest(into.captured_kernels, from.captured_kernels);
  smallest(into.fewest_captured_kernels, from.fewest_captured_kernels);
  smallest(into.captured_pieces, from.captured_pieces);
  join(into.device_over_wall, from.device_over_wall,
       [](double a, double b) { return std::fabs(a - 1) > std::fabs(b - 1) ? a : b; });
  smallest(into.rotation_over_cache, from.rotation_over_cache);
  const auto weighed = [&](double a, double b) { return a + weight * (b - a); };
  join(into.core_mhz, from.core_mhz, weighed);
  join(into.memory_mhz, from.memory_mhz, weighed);
  join(into.mean_watts, from.mean_watts, weighed);
  join(into.throttle_reasons, from.throttle_reasons, every_word);
}

}  // namespace

void merge_answers(AnswerEvidence& into, const AnswerEvidence& from) {
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
  into.family_mask |= from.family_mask;
  into.families = std::popcount(into.family_mask);
  into.distinct_inputs += from.distinct_inputs;
}

void merge_evidence(Evidence& into, const Evidence& from) {
  if (into.variant.empty()) {  // the first attempt
    into = from;
    return;
  }
  merge_answers(into.answers, from.answers);
  const auto calls = static_cast<double>(into.answers.calls);  // of all attempts, this one's too
  const double weight = calls > 0 ? static_cast<double>(from.answers.calls) / calls : 0.5;
  merge(into.timing, from.timing);
  merge(into.process, from.process);
  merge(into.environment, from.environment);
  merge(into.accelerator, from.accelerator, weight);
  join(into.energy.joules_per_call, from.energy.joules_per_call,
       [](double a, double b) { return (a + b) / 2; });
}

void merge_closed(VariantResult& into, const ClosedVariant& closed) {
  // Windows of all attempts hold the same number of calls, so that calls weigh like windows.
  const auto before = static_cast<double>(into.evidence.answers.calls);
  const auto now = static_cast<double>(closed.evidence.answers.calls);
  for (const auto& [name, value] : closed.metrics) {
    const auto known = std::ranges::find(into.metrics, name, &std::pair<std::string, double>::first);
    if (known == into.metrics.end()) {
      into.metrics.emplace_back(name, value);
    } else if (before + now > 0) {
      known->second = (before * known->second + now * value) / (before + now);
    }
  }
  merge_evidence(into.evidence, closed.evidence);
}

}  // namespace aisp::harness
