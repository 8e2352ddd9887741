// SPDX-License-Identifier: Apache-2.0
#include "fabricated.h"

namespace aisp::known_truth {
namespace {

constexpr int kAttempts = 3;

void fill(Samples& samples, int rounds, const std::function<double(int)>& time, int every) {
  for (int round = 0; round < rounds; round += every) {
    samples.attempt.push_back(round % kAttempts);
    samples.round.push_back(round);
    samples.pass.push_back(round % 2);
    samples.calls.push_back(1);
    samples.ns.push_back(time(round));
  }
}

}  // namespace

Evidence faultless(const std::string& variant, int rounds) {
  Evidence e{.workload = "made/up", .variant = variant};
  const auto calls = static_cast<std::uint64_t>(rounds);
  e.answers = {.calls = calls, .checked = calls, .families = 2, .distinct_inputs = calls};
  e.timing = {.clock_resolution_ns = 10,
              .clock_cost_ns = 10,
              .shortest_window_ns = 100e3,
              .clock_disagreement_ppm = 1};
  e.process = {.threads_before = 1,
               .threads_after = 1,
               .cpu_after_return_ns = 0,
               .cpu_in_windows_ns = 1e6,
               .wall_in_windows_ns = 1e6,
               .minor_faults = 0,
               .major_faults = 0,
               .involuntary_switches = 0,
               .swapped_pages = 0,
               .throttled_periods = 0,
               .steal_ns = 0,
               .migrations = 0,
               .rounding_mode_changed = false};
  e.config = {.hash_at_start = "h",
              .hash_at_end = "h",
              .seed_commitment = "c",
              .seed_matches = true,
              .binary_unchanged = true};
  e.environment = {.traced = false,
                   .injected = "",
                   .governor = "performance",
                   .governor_changed = false,
                   .virtualised = "none",
                   .load_before = 0,
                   .cpu_quota = "none",
                   .affinity = "0",
                   .priority_raised = false,
                   .thermal_throttles = 0};
  return e;
}

Fabricated::Fabricated() {
  config.looks = {24, 48, 96, 192};
  result.workload = "made/up";
  for (int a = 0; a < kAttempts; ++a) {
    result.attempts.push_back({.attempt = a, .status = "finished", .seed_commitment = "c", .seed = "s"});
  }
}

VariantResult& Fabricated::add(const std::string& name, int rounds, const std::function<double(int)>& time,
                               int every) {
  for (int round = static_cast<int>(result.rounds.size()); round < rounds; ++round) {
    result.rounds.push_back({.attempt = round % kAttempts, .round = round, .family = round % 2});
  }
  VariantResult& variant = result.variants.emplace_back();
  variant.name = name;
  variant.every = every;
  variant.evidence = faultless(name, rounds);
  fill(variant.samples, rounds, time, every);
  // The look that this many rounds belong to.
  while (result.look + 1 < static_cast<int>(config.looks.size()) &&
         rounds > config.looks[static_cast<std::size_t>(result.look)]) {
    ++result.look;
  }
  return variant;
}

void Fabricated::add_again(int rounds, const std::function<double(int)>& time) {
  fill(result.aa_samples, rounds, time, 1);
}

void Fabricated::discard(int round, const std::string& why) {
  result.rounds[static_cast<std::size_t>(round)].discarded = why;
}

}  // namespace aisp::known_truth
