// SPDX-License-Identifier: Apache-2.0
// The register: an explicit list, because a guard that is silently not linked would make every result look
// better.
#include <array>

#include "aisp/guards/judge.h"
#include "aisp/guards/list.h"

namespace aisp::guards {

std::span<const Guard> all() {
  static const std::array guards{
      // Answers
      output_written,
      answer_right,
      answer_finite,
      answer_fresh,
      answer_varies,
      inputs_unchanged,
      bounds_respected,
      every_answer_checked,
      inputs_fresh,
      trace_answered,
      // Clock
      timer_resolves,
      clocks_agree,
      // Process
      no_work_after_return,
      threads_as_declared,
      no_page_faults,
      no_swap,
      no_cpu_throttling,
      little_steal,
      rarely_interrupted,
      stays_on_core,
      rounding_mode_kept,
      // Physics
      not_faster_than_floor,
      // Samples
      enough_samples,
      few_rounds_discarded,
      all_attempts_finished,
      calibrated,
      no_drift,
      one_mode,
      attempts_agree,
      same_first_or_later,
      // Promises
      config_unchanged,
      program_unchanged,
      seed_matches,
      // Machine
      not_traced,
      nothing_injected,
      governor_steady,
      not_virtualised,
      load_low,
      cpu_not_limited,
      priority_normal,
      no_thermal_throttling,
      power_limit_alike,
      // GPU
      device_work_in_window,
      device_not_waited_for,
      device_agrees_with_wall,
      host_only_launches,
      no_host_functions,
      nothing_set_up_in_window,
      device_unshared,
      device_clocks_alike,
      device_memory_sound,
      compulsory_bytes_read,
      one_device,
      launches_as_declared,
      unified_memory_settled,
      audited_as_timed,
      cache_not_kept,
      rotation_exceeds_cache,
  };
  return guards;
}

}  // namespace aisp::guards
