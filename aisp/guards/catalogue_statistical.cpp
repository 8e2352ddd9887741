// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> statistical_issues() {
  static constexpr std::array issues{
      Issue{.number = 80,
            .category = "statistical",
            .title = "Cherry-picking",
            .meaning = "Only the best runs or samples are shown.",
            .incident = "An analysis of Chatbot Arena (2025) showed how selective submission distorts the "
                        "ranking; MLPerf was criticised in 2022 for selective participation.",
            .defence =
                "Every raw sample and every attempt is stored, failed ones too, as inserted events in a "
                "hash chain; a started cell cannot vanish. Rounds are discarded by declared state only.",
            .cover = Cover::by_construction,
            .guards = {"all_attempts_finished", "few_rounds_discarded"}},
      Issue{.number = 81,
            .category = "statistical",
            .title = "Outlier injection",
            .meaning = "Slow samples are added to one side.",
            .incident = "No public case is recorded here; a random sleep in the baseline moves a mean as far "
                        "as one likes.",
            .defence = "The figure is the median ratio within rounds, which no minority of slow samples "
                       "moves, and samples are never dropped by value.",
            .cover = Cover::by_construction,
            .guards = {"few_rounds_discarded"}},
      Issue{.number = 82,
            .category = "statistical",
            .title = "Variance gaming",
            .meaning = "The spread is hidden, for example by averaging before it is computed.",
            .incident = "No public case is recorded here; the interval of means of a thousand calls looks "
                        "thirty times narrower than the calls are.",
            .defence = "One estimator for all: the round is the unit, the interval is exact, and it widens "
                       "when rounds or processes depend on one another.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 83,
            .category = "statistical",
            .title = "Percentile selection",
            .meaning = "A percentile is chosen that flatters.",
            .incident = "No public case is recorded here; the fifth percentile of one side is set against "
                        "the median of the other.",
            .defence =
                "The workload's goal fixes the compared figure, and it is part of the frozen configuration.",
            .cover = Cover::by_construction,
            .guards = {"config_unchanged"}},
      Issue{.number = 84,
            .category = "statistical",
            .title = "Insufficient samples",
            .meaning = "Too few samples carry the claim.",
            .incident =
                "A review of 445 language-model benchmarks (2025) found little statistical rigour in them.",
            .defence =
                "A row with fewer rounds than an interval needs is rejected, fewer than three processes "
                "leave it unproven, and time that runs out gives 'inconclusive', never a win.",
            .cover = Cover::guard,
            .guards = {"enough_samples", "all_attempts_finished"}},
      Issue{
          .number = 85,
          .category = "statistical",
          .title = "Cold-start inclusion",
          .meaning = "The first, slow call counts on one side only.",
          .incident =
              "One user measured the same code at 20.6, 15.5 and 8.8 µs depending on its place in the order.",
          .defence =
              "All variants warm up before the first window, order is random and balanced in every "
              "round, and a cold cache is a mode of its own, in which a GPU's call may not ask for lines "
              "that persist. Remaining drift is noted, and so is a steady window whose sets fit the cache.",
          .cover = Cover::by_construction,
          .guards = {"no_drift", "cache_not_kept", "rotation_exceeds_cache"}},
      Issue{.number = 86,
            .category = "statistical",
            .title = "Garbage-collection interference",
            .meaning = "Reclaiming memory, trimming the heap or a background thread falls into a window.",
            .incident =
                "Allocation inside the timed region has been put at up to 300 % by one evaluator's authors.",
            .defence = "Page faults and involuntary switches inside windows are counted and noted; who "
                       "reclaims is not identified.",
            .cover = Cover::recorded,
            .guards = {"no_page_faults", "rarely_interrupted"}},
      Issue{.number = 87,
            .category = "statistical",
            .title = "Background process noise",
            .meaning = "Other programs take cores, caches and bandwidth.",
            .incident =
                "Changes to documentation alone have raised 42 performance alarms in one project's history.",
            .defence = "The baseline is measured against itself in the same rounds: when that shows a "
                       "difference beyond 2 %, the row is rejected. Load, steal and switches are noted.",
            .cover = Cover::guard,
            .guards = {"calibrated", "load_low", "little_steal", "rarely_interrupted", "device_unshared"}},
  };
  return issues;
}

}  // namespace aisp::guards
