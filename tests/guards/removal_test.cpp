// SPDX-License-Identifier: Apache-2.0
// What each guard is there for: a fault that nothing else notices. Every row judges its fault with all
// guards, where it must show, and with all but the one named, where it must not. A guard that is removed from
// the register, or whose rule is weakened beyond its fault, makes the row of its name fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "aisp/guards/catalogue.h"
#include "good_evidence.h"

namespace aisp::guards {
namespace {

/// How strongly the guard speaks: `invalid` and `unproven` change the verdict, `noted` only tells.
enum class Effect { invalid, unproven, noted };

struct Fault {
  const char* guard;
  const char* what;  ///< the fault, in words
  Effect effect;
  void (*commit)(Evidence&);
};

const std::vector<Fault>& faults() {
  static const std::vector<Fault> table{
      // clang-format off
      {"output_written", "the tail of one answer is left unwritten", Effect::invalid, [](Evidence& e) { e.answers.unwritten = 1; }},
      {"answer_right", "one answer is wrong", Effect::invalid, [](Evidence& e) { e.answers.wrong = 1; e.answers.worst_error = 2; }},
      {"answer_finite", "one answer holds a NaN", Effect::invalid, [](Evidence& e) { e.answers.not_finite = 1; }},
      {"answer_fresh", "an answer is kept by address", Effect::invalid, [](Evidence& e) { e.answers.stale = 1; }},
      {"answer_varies", "an answer is 1/n everywhere", Effect::invalid, [](Evidence& e) { e.answers.constant = 1; }},
      {"inputs_unchanged", "a call sorts its input in place", Effect::invalid, [](Evidence& e) { e.answers.inputs_changed = 1; }},
      {"bounds_respected", "a store lands behind the buffer", Effect::invalid, [](Evidence& e) { e.answers.out_of_bounds = 1; }},
      {"every_answer_checked", "the last timed answer is not checked", Effect::invalid, [](Evidence& e) { e.answers.checked -= 1; }},
      {"inputs_fresh", "two rounds have the same inputs", Effect::invalid, [](Evidence& e) { e.answers.distinct_inputs -= 1; }},
      {"trace_answered", "one request is dropped", Effect::invalid, [](Evidence& e) { e.shape = Shape::trace; e.answers.unanswered = 1; }},
      {"timer_resolves", "a 5 ns call is timed alone", Effect::invalid, [](Evidence& e) { e.timing.shortest_window_ns = 5; e.floor.floor_ns = 1; }},
      {"clocks_agree", "the machine migrates in mid-run", Effect::invalid, [](Evidence& e) { e.timing.clock_disagreement_ppm = 20000; }},
      {"no_work_after_return", "a detached thread finishes the work", Effect::invalid, [](Evidence& e) { e.process.cpu_after_return_ns = 1e6; }},
      {"threads_as_declared", "a library uses four cores for one", Effect::invalid, [](Evidence& e) { *e.process.cpu_in_windows_ns *= 4; }},
      {"no_page_faults", "a window waits for a disk", Effect::invalid, [](Evidence& e) { e.process.major_faults = 1; }},
      {"no_swap", "memory runs out", Effect::invalid, [](Evidence& e) { e.process.swapped_pages = 64; }},
      {"no_cpu_throttling", "the container has half a core", Effect::invalid, [](Evidence& e) { e.process.throttled_periods = 9; }},
      {"little_steal", "a neighbour takes the core", Effect::noted, [](Evidence& e) { e.process.steal_ns = 30e6; }},
      {"rarely_interrupted", "another program shares the core", Effect::noted, [](Evidence& e) { e.process.involuntary_switches = 400; }},
      {"stays_on_core", "threads wander", Effect::noted, [](Evidence& e) { e.process.migrations = 100; }},
      {"rounding_mode_kept", "a variant turns on flush-to-zero", Effect::invalid, [](Evidence& e) { e.process.rounding_mode_changed = true; }},
      {"not_faster_than_floor", "a call reads a third of its bytes", Effect::invalid, [](Evidence& e) { e.floor.floor_ns = 300e3; }},
      {"enough_samples", "three rounds carry a claim", Effect::invalid, [](Evidence& e) { e.sampling.rounds = 3; }},
      {"few_rounds_discarded", "nine rounds of ten are thrown away", Effect::invalid, [](Evidence& e) { e.sampling.rounds_discarded = 432; }},
      {"all_attempts_finished", "one process crashed and is left out", Effect::invalid, [](Evidence& e) { e.sampling.attempts_finished = 2; }},
      {"calibrated", "the baseline beats itself by a tenth", Effect::invalid, [](Evidence& e) { e.sampling.aa_low = 1.08; e.sampling.aa_high = 1.12; }},
      {"no_drift", "the machine heats up", Effect::noted, [](Evidence& e) { e.sampling.drift_per_run = 0.2; }},
      {"one_mode", "two speeds in one run", Effect::noted, [](Evidence& e) { e.sampling.two_modes = true; }},
      {"attempts_agree", "each process has its own speed", Effect::noted, [](Evidence& e) { e.sampling.attempt_spread = 0.4; }},
      {"same_first_or_later", "another variant's answers are copied", Effect::invalid, [](Evidence& e) { e.sampling.first_in_round = 3; }},
      {"config_unchanged", "a limit is raised in mid-run", Effect::invalid, [](Evidence& e) { e.config.hash_at_end = "another"; }},
      {"program_unchanged", "the plugin is rebuilt in mid-run", Effect::invalid, [](Evidence& e) { e.config.binary_unchanged = false; }},
      {"seed_matches", "inputs are chosen to suit", Effect::invalid, [](Evidence& e) { e.config.seed_matches = false; }},
      {"not_traced", "a debugger is attached", Effect::invalid, [](Evidence& e) { e.environment.traced = true; }},
      {"nothing_injected", "a library is preloaded", Effect::invalid, [](Evidence& e) { e.environment.injected = "LD_PRELOAD=x.so"; }},
      {"governor_steady", "the governor is switched in mid-run", Effect::invalid, [](Evidence& e) { e.environment.governor_changed = true; }},
      {"not_virtualised", "a virtual machine claims to be bare", Effect::unproven, [](Evidence& e) { e.environment.virtualised = "KVM"; }},
      {"load_low", "a build runs beside it", Effect::noted, [](Evidence& e) { e.environment.load_before = 1.5; }},
      {"cpu_not_limited", "a quota is set and never reached", Effect::noted, [](Evidence& e) { e.environment.cpu_quota = "1.50 CPUs"; }},
      {"priority_normal", "the worker runs in a real-time class", Effect::invalid, [](Evidence& e) { e.environment.priority_raised = true; }},
      {"no_thermal_throttling", "the processor throttles for heat", Effect::invalid, [](Evidence& e) { e.environment.thermal_throttles = 2; }},
      {"power_limit_alike", "the cap is lowered for the baseline", Effect::invalid, [](Evidence& e) { e.environment.lowest_power_limit_w = 250; }},
      {"device_work_in_window", "a copy goes on elsewhere", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.work_outside_window_ns = 1e6; }},
      {"device_not_waited_for", "a call synchronises behind the gate", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.waited = 1; }},
      {"device_agrees_with_wall", "events tell half of the time", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.device_over_wall = 0.5; }},
      {"host_only_launches", "the host computes the answer", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.host_over_launching = 30; }},
      {"no_host_functions", "a callback computes the answer", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.host_functions = 1; }},
      {"nothing_set_up_in_window", "a kernel is compiled when it is called", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.compilations_in_window = 1; }},
      {"device_unshared", "somebody else's training runs beside it", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.foreign_processes = 1; }},
      {"device_clocks_alike", "the device is too hot", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.throttle_reasons = "hardware thermal slowdown"; }},
      {"device_memory_sound", "a bit of the reference flips", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.new_ecc_uncorrected = 1; }},
      {"compulsory_bytes_read", "half of the inputs are never read", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.dram_bytes = 0.5e9; }},
      {"one_device", "a second device does half of the work", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.work_on_other_devices = 1; }},
      {"launches_as_declared", "a kernel launches another one", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.device_launches = 1; }},
      {"unified_memory_settled", "pages come back from the host in a window", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.unified_memory_moves = 1; }},
      {"audited_as_timed", "half of the work is left out where nobody records", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.audited_ns = 200e3; }},
      {"cache_not_kept", "a call asks for cache that persists", Effect::invalid, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.persisting_calls = 1; }},
      {"rotation_exceeds_cache", "small sets stay in the cache", Effect::noted, [](Evidence& e) { e = good_gpu_evidence(); e.accelerator.rotation_over_cache = 0.3; }},
      // clang-format on
  };
  return table;
}

std::vector<Guard> all_but(std::string_view id) {
  std::vector<Guard> rest(all().begin(), all().end());
  std::erase_if(rest, [&](const Guard& guard) { return guard.id == id; });
  return rest;
}

bool any_noted(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& f) { return f.level == Level::note; });
}

class Removal : public testing::TestWithParam<Fault> {};

TEST_P(Removal, OnlyThisGuardNoticesItsFault) {
  const Fault& fault = GetParam();
  ASSERT_NE(find(fault.guard), nullptr) << "the guard is gone: " << fault.what << " would pass";
  Evidence evidence = good_evidence();
  fault.commit(evidence);
  const auto with = judge(evidence);
  const auto without = judge(evidence, all_but(fault.guard));
  switch (fault.effect) {
    case Effect::invalid:
      EXPECT_EQ(validity_of(with, Policy::portable), Validity::invalid) << fault.what;
      EXPECT_EQ(validity_of(without, Policy::strict), Validity::valid)
          << fault.what << ": another guard sees it too";
      break;
    case Effect::unproven:
      EXPECT_EQ(validity_of(with, Policy::strict), Validity::unproven) << fault.what;
      EXPECT_EQ(validity_of(without, Policy::strict), Validity::valid) << fault.what;
      break;
    case Effect::noted:
      EXPECT_EQ(validity_of(with, Policy::strict), Validity::valid) << fault.what;
      EXPECT_TRUE(any_noted(with)) << fault.what;
      EXPECT_FALSE(any_noted(without)) << fault.what << ": another guard notes it too";
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Removal, testing::ValuesIn(faults()),
                         [](const auto& test) { return std::string(test.param.guard); });

TEST(RemovalTable, HasARowForEveryGuard) {
  std::set<std::string_view> rows;
  for (const Fault& fault : faults()) EXPECT_TRUE(rows.insert(fault.guard).second) << fault.guard << " twice";
  for (const Guard& guard : all())
    EXPECT_TRUE(rows.contains(guard.id)) << "no fault shows the need for " << guard.id;
  EXPECT_EQ(rows.size(), all().size());
}

// An issue may be called covered by a guard only if one of its guards changes the verdict: a note covers
// nothing.
TEST(RemovalTable, CoveredIssuesHaveAGuardThatDecides) {
  std::set<std::string_view> deciding;
  for (const Fault& fault : faults()) {
    if (fault.effect != Effect::noted) deciding.insert(fault.guard);
  }
  for (const Issue& issue : catalogue()) {
    if (issue.cover != Cover::guard) continue;
    EXPECT_TRUE(std::ranges::any_of(issue.guards, [&](auto id) { return deciding.contains(id); }))
        << "#" << issue.number << " " << issue.title;
  }
}

}  // namespace
}  // namespace aisp::guards
