// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> environment_issues() {
  static constexpr std::array issues{
      Issue{.number = 68,
            .category = "environment",
            .title = "Device mismatch",
            .meaning = "The result comes from another machine or device than the one named.",
            .incident = "No public case is recorded here; two cards of one family can differ in memory "
                        "bandwidth by a third and more.",
            .defence = "Every run stores a hardware key (CPU model, cores, memory), and results are compared "
                       "within one key.",
            .cover = Cover::recorded,
            .guards = {}},
      Issue{.number = 69,
            .category = "environment",
            .title = "Frequency boost",
            .meaning = "Clocks are higher for one side than for the other.",
            .incident =
                "A public evaluator's own comments put the variation without locked clocks at 10 to 30 %.",
            .defence = "Variants take turns inside each round in random order, so a slow change of clocks "
                       "meets all alike; a governor changed during the run rejects the row. A GPU's core "
                       "clock is read in every window, or right after short ones, and compared with the "
                       "baseline's; a CPU's is not measured.",
            .cover = Cover::guard,
            .guards = {"governor_steady", "device_clocks_alike"}},
      Issue{.number = 70,
            .category = "environment",
            .title = "Priority elevation",
            .meaning = "One run has a real-time class or raised priority.",
            .incident = "No public case is recorded here; a first-in-first-out class keeps the core from "
                        "everything else, and from the next variant too.",
            .defence =
                "The worker's scheduling class and nice value are read; raised priority rejects the row.",
            .cover = Cover::guard,
            .guards = {"priority_normal"}},
      Issue{.number = 71,
            .category = "environment",
            .title = "Memory overcommit",
            .meaning = "Success depends on memory that was promised and never touched.",
            .incident = "No public case is recorded here; mapping a hundred times the machine's memory "
                        "succeeds as long as nobody writes to it.",
            .defence = "Sizes that do not fit free memory are refused before allocation, buffers are "
                       "touched, and the worker has a memory limit.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 72,
            .category = "environment",
            .title = "NUMA inconsistency",
            .meaning = "Threads or memory lie on other nodes than in the run compared with.",
            .incident = "No public case is recorded here; memory on the far node is slower to reach, for "
                        "whichever side happened to get it.",
            .defence = "Threads are pinned, topology and affinity are stored and migrations are noted. The "
                       "node of each page is not checked.",
            .cover = Cover::recorded,
            .guards = {"stays_on_core"}},
      Issue{.number = 73,
            .category = "environment",
            .title = "CPU governor mismatch",
            .meaning = "Frequency scaling differs between runs or changes within one.",
            .incident = "No public case is recorded here; a powersaving governor starts every burst of work "
                        "at a low clock.",
            .defence = "The governor is read before and after. A change rejects, another than 'performance' "
                       "is noted, and where a virtual machine hides it only the strict policy insists.",
            .cover = Cover::guard,
            .guards = {"governor_steady"}},
      Issue{.number = 74,
            .category = "environment",
            .title = "Thermal throttling",
            .meaning = "Heat lowers the clock in mid-run.",
            .incident =
                "No public case is recorded here; whoever is measured second, on the hot chip, is slower.",
            .defence = "The kernel's throttling counters reject the row when they moved; a drift from first "
                       "to last round is noted. Virtual machines hide the counters.",
            .cover = Cover::guard,
            .guards = {"no_thermal_throttling", "no_drift", "device_clocks_alike"}},
      Issue{.number = 75,
            .category = "environment",
            .title = "Power limit difference",
            .meaning = "The power cap differs between runs.",
            .incident = "Benchmark loops on GPUs have been seen to throttle on power inside the loop, so "
                        "that longer runs look slower.",
            .defence = "The enforced limit of the GPU, or of the CPU's packages, is read in every attempt; "
                       "where it differs between attempts or variants the row is rejected. It is a fact of "
                       "the manifest, and `aisp replay` names it where it differs. Virtual machines hide the "
                       "CPU's.",
            .cover = Cover::guard,
            .guards = {"power_limit_alike"}},
      Issue{
          .number = 76,
          .category = "environment",
          .title = "Driver version mismatch",
          .meaning = "Results of different drivers or kernels are compared as if equal.",
          .incident =
              "Users in 2021 could not reproduce published MLPerf results: data sets and code had moved on.",
          .defence =
              "The versions of the kernel and of the GPU's driver are in the manifest, and `aisp replay` "
              "names what differs.",
          .cover = Cover::recorded,
          .guards = {}},
      Issue{.number = 77,
            .category = "environment",
            .title = "Library version mismatch",
            .meaning = "Another version of a library was loaded than the one named.",
            .incident = "No public case is recorded here; a changed search path swaps a BLAS and the result "
                        "keeps its label.",
            .defence = "The libraries actually loaded are stored with their build ids, and `aisp replay` "
                       "names those that differ.",
            .cover = Cover::recorded,
            .guards = {"program_unchanged"}},
      Issue{.number = 78,
            .category = "environment",
            .title = "Container resource limits",
            .meaning = "A CPU quota or memory limit differs, or bites during the run.",
            .incident = "No public case is recorded here; a quota of half a core stops the process for 50 ms "
                        "in every 100, wherever it is.",
            .defence = "The quota is read from both cgroup versions; a run that it throttled is rejected, "
                       "one under an idle quota says so.",
            .cover = Cover::guard,
            .guards = {"no_cpu_throttling", "cpu_not_limited"}},
      Issue{.number = 79,
            .category = "environment",
            .title = "Virtualisation overhead",
            .meaning = "The host takes time or moves the machine, and the guest cannot see it.",
            .incident = "On a small virtual machine one binary ran at 9.0 µs in most processes and at about "
                        "13.2 µs in a third of them.",
            .defence = "The hypervisor is named on the row. Under the strict policy a virtual machine leaves "
                       "the row unproven; stolen time is noted.",
            .cover = Cover::guard,
            .guards = {"not_virtualised", "little_steal"}},
  };
  return issues;
}

}  // namespace aisp::guards
