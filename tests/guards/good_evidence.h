// SPDX-License-Identifier: Apache-2.0
/// \file
/// Evidence of a run without fault on a bare machine, for tests to spoil one fact at a time.
///
///   Evidence evidence = good_evidence();
///   evidence.answers.wrong = 1;
///   EXPECT_EQ(level("answer_right", evidence), Level::reject);
#pragma once

#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "aisp/core/evidence.h"
#include "aisp/guards/judge.h"

namespace aisp::guards {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Evidence good_evidence() {
  Evidence e;
  e.workload = "ch07/transpose";
  e.variant = "tiled";
  e.answers = {.calls = 480, .checked = 480, .worst_error = 0.25, .families = 2, .distinct_inputs = 48};
  e.timing = {.clock_resolution_ns = 20,
              .clock_cost_ns = 25,
              .shortest_window_ns = 100e3,
              .clock_disagreement_ppm = 3};
  e.process = {.threads_before = 1,
               .threads_after = 1,
               .cpu_after_return_ns = 0,
               .cpu_in_windows_ns = 48e6,
               .wall_in_windows_ns = 48e6,
               .minor_faults = 0,
               .major_faults = 0,
               .involuntary_switches = 0,
               .swapped_pages = 0,
               .throttled_periods = 0,
               .steal_ns = 0,
               .migrations = 0,
               .rounding_mode_changed = false};
  e.floor = {.floor_ns = 80e3, .bound = "read bandwidth", .fastest_ns = 100e3};
  e.sampling = {.attempts_planned = 3,
                .attempts_finished = 3,
                .rounds = 48,
                .rounds_required = 12,
                .aa_low = 0.995,
                .aa_high = 1.005,
                .two_modes = false,
                .attempt_spread = 0.01,
                .first_in_round = 1.0};
  e.config = {.hash_at_start = "0123456789abcdef",
              .hash_at_end = "0123456789abcdef",
              .seed_commitment = "fedcba9876543210",
              .seed_matches = true,
              .binary_unchanged = true};
  e.environment = {.traced = false,
                   .injected = "",
                   .governor = "performance",
                   .governor_changed = false,
                   .virtualised = "none",
                   .load_before = 0.1,
                   .cpu_quota = "none",
                   .affinity = "0-3",
                   .priority_raised = false,
                   .thermal_throttles = 0,
                   .lowest_power_limit_w = 350,
                   .highest_power_limit_w = 350};
  return e;
}

/// The same of a variant that was measured on a GPU.
inline Evidence good_gpu_evidence() {
  Evidence e = good_evidence();
  e.device = DeviceKind::cuda;
  e.accelerator.work_outside_window_ns = 0;
  e.accelerator.undeclared_streams = 0;
  e.accelerator.compilations_in_window = 0;
  e.accelerator.allocations_in_window = 0;
  e.accelerator.foreign_processes = 0;
  e.accelerator.clock_change = 0;
  e.accelerator.throttle_reasons = e.accelerator.baseline_throttle_reasons = "";
  e.accelerator.ecc = true;
  e.accelerator.new_ecc_corrected = e.accelerator.new_ecc_uncorrected = 0;
  e.accelerator.dram_bytes = 1e9;
  e.accelerator.compulsory_bytes = 1e9;
  e.accelerator.late_ns = 600;
  e.accelerator.waited = 0;
  e.accelerator.host_functions = 0;
  e.accelerator.device_over_wall = 0.99;
  e.accelerator.host_over_launching = 0.6;
  e.accelerator.work_on_other_devices = 0;
  e.accelerator.cooperative_launches = 0;
  e.accelerator.device_launches = 0;
  e.accelerator.unified_memory_moves = 0;
  e.timing.instrument = Instrument::isolated;
  e.accelerator.captured_kernels = e.accelerator.fewest_captured_kernels = 2;
  e.accelerator.audited_kernels = 2;
  e.accelerator.captured_pieces = e.accelerator.audited_pieces = 2;
  e.accelerator.timed_ns = 100e3;
  e.accelerator.audited_ns = 101e3;
  e.accelerator.persisting_calls = 0;
  e.accelerator.declares_cooperative = false;
  e.accelerator.declares_device_launches = false;
  e.accelerator.declares_managed_memory = false;
  return e;
}

/// What the named guard says; a guard that does not exist stops the test.
inline Finding finding(std::string_view id, const Evidence& evidence) {
  const Guard* guard = find(id);
  if (guard == nullptr) throw std::invalid_argument("no such guard: " + std::string(id));
  return ask(*guard, evidence);
}
inline Level level(std::string_view id, const Evidence& evidence) { return finding(id, evidence).level; }

}  // namespace aisp::guards
