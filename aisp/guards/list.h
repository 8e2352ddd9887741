// SPDX-License-Identifier: Apache-2.0
/// \file
/// The guards by name, one per file of the same name. To add one: write <id>.cpp, declare it here, list it in
/// all.cpp, name it in the catalogue entries of its issues, give it a heading in docs/handbook/guards.md and
/// a row in tests/guards/removal_test.cpp; the tests say which of these was forgotten.
#pragma once

#include "aisp/core/guard.h"

namespace aisp::guards {

// Answers
extern const Guard output_written;
extern const Guard answer_right;
extern const Guard answer_finite;
extern const Guard answer_fresh;
extern const Guard answer_varies;
extern const Guard inputs_unchanged;
extern const Guard bounds_respected;
extern const Guard every_answer_checked;
extern const Guard inputs_fresh;
extern const Guard trace_answered;

// Clock
extern const Guard timer_resolves;
extern const Guard clocks_agree;

// Process
extern const Guard no_work_after_return;
extern const Guard threads_as_declared;
extern const Guard no_page_faults;
extern const Guard no_swap;
extern const Guard no_cpu_throttling;
extern const Guard little_steal;
extern const Guard rarely_interrupted;
extern const Guard stays_on_core;
extern const Guard rounding_mode_kept;

// Physics
extern const Guard not_faster_than_floor;

// Samples
extern const Guard enough_samples;
extern const Guard few_rounds_discarded;
extern const Guard all_attempts_finished;
extern const Guard calibrated;
extern const Guard no_drift;
extern const Guard one_mode;
extern const Guard attempts_agree;
extern const Guard same_first_or_later;

// Promises
extern const Guard config_unchanged;
extern const Guard program_unchanged;
extern const Guard seed_matches;

// Machine
extern const Guard not_traced;
extern const Guard nothing_injected;
extern const Guard governor_steady;
extern const Guard not_virtualised;
extern const Guard load_low;
extern const Guard cpu_not_limited;
extern const Guard priority_normal;
extern const Guard no_thermal_throttling;
extern const Guard power_limit_alike;

// GPU
extern const Guard device_work_in_window;
extern const Guard device_not_waited_for;
extern const Guard device_agrees_with_wall;
extern const Guard host_only_launches;
extern const Guard no_host_functions;
extern const Guard nothing_set_up_in_window;
extern const Guard device_unshared;
extern const Guard device_clocks_alike;
extern const Guard device_memory_sound;
extern const Guard compulsory_bytes_read;
extern const Guard one_device;
extern const Guard launches_as_declared;
extern const Guard unified_memory_settled;
extern const Guard audited_as_timed;
extern const Guard cache_not_kept;
extern const Guard rotation_exceeds_cache;

}  // namespace aisp::guards
