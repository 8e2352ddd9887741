// SPDX-License-Identifier: Apache-2.0
/// \file
/// One variant among those a sampler measures: what runs it, and what is known about it so far.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "aisp/device/clock.h"
#include "aisp/harness/answer_ledger.h"
#include "aisp/harness/sampler.h"
#include "aisp/harness/variant_runner.h"
#include "aisp/probes/process_probe.h"
#include "aisp/probes/system_probe.h"

namespace aisp::harness {

struct Contestant {
  std::unique_ptr<VariantRunner> runner;
  OpenedVariant* opened = nullptr;
  bool wrong_at_once = false;  ///< in the warm-up: its time must not decide about anybody else's windows
  AnswerLedger answers;
  probes::ProcessProbe probe;
  int threads_before = 0;      ///< of the process, before it was prepared
  int threads_kept = 0;        ///< that its code started and did not join; other variants' are not its doing
  std::uint64_t families = 0;  ///< bit i: timed with family i
  std::optional<double> finish_share;
  double shortest_window_ns = HUGE_VAL;
  std::map<std::string, std::pair<double, int>> metrics;  ///< sum and count
};

/// What the evidence of all contestants has in common.
struct ClosingFacts {
  const Workload& workload;
  int threads = 1;
  std::uint64_t fresh_rounds = 0;
  const device::ClockSnapshot& clock_start;
  const probes::SystemSnapshot& system_start;
  probes::SystemSnapshot system_end;
};

/// All that is known about a contestant when its attempt ends.
ClosedVariant close_contestant(const Contestant& contestant, const ClosingFacts& facts);

}  // namespace aisp::harness
