// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> timing_issues() {
  static constexpr std::array issues{
      Issue{.number = 1,
            .category = "timing",
            .title = "Unsynced streams",
            .meaning = "A kernel runs on another CUDA stream than the one the timer watches, so the time it "
                       "took is not in the figure.",
            .incident =
                "In 2025 a widely shared twenty-fold speed-up on a KernelBench problem turned out to "
                "launch its matrix products on side streams that the timer never waited for; 82 of 250 "
                "kernels from one training run did the same, for an apparent gain of about 18 times.",
            .defence = "The CPU has no streams. On a GPU the window ends when the timed stream does, the "
                       "device must be idle soon after, and an audit records what ran on every stream. "
                       "Code that behaves only while it is recorded launches other kernels there, or takes "
                       "longer.",
            .cover = Cover::guard,
            .guards = {"device_work_in_window", "audited_as_timed"}},
      Issue{.number = 2,
            .category = "timing",
            .title = "Incomplete async ops",
            .meaning = "The call returns before its work is done: a task left with std::async, a copy still "
                       "in flight. The clock stops too early and the rest is free.",
            .incident = "The same 2025 stream episode: the checker synchronised and saw right answers, the "
                        "timer did not wait and saw a fraction of the work.",
            .defence = "Threads and CPU time are counted after every return, and outputs hold poison until "
                       "they are written. Work of less than 50 µs, the allowance for a thread to fall "
                       "asleep, is not told from parking.",
            .cover = Cover::guard,
            .guards = {"no_work_after_return", "output_written", "device_work_in_window"}},
      Issue{.number = 3,
            .category = "timing",
            .title = "Event timing gaps",
            .meaning = "A CUDA event is recorded on the wrong stream, before the last launch, or twice, and "
                       "the difference of two events is not the work between them.",
            .incident = "A Helion user found events on the wrong stream that read 5 µs for 250 µs of work; a "
                        "public exploit collection swaps stored event handles.",
            .defence = "The CPU device has one clock and the harness alone reads it. On a GPU the harness "
                       "makes and records the events, behind a gate, rejects calls that wait for the "
                       "device meanwhile, and compares device time with the wall clock.",
            .cover = Cover::guard,
            .guards = {"device_not_waited_for", "device_agrees_with_wall"}},
      Issue{.number = 4,
            .category = "timing",
            .title = "Timer granularity",
            .meaning = "The call is shorter than a step of the clock, or not much longer than reading it, so "
                       "the figure is the clock's and not the code's.",
            .incident = "No public case is recorded here; a 5 ns operation timed alone reads as 0 ns or as "
                        "one clock step, and any ratio of two such readings can come out.",
            .defence = "The harness measures its clock at start, batches calls until the window is long "
                       "enough, and the guard demands 1000 clock steps and 20 readings per window.",
            .cover = Cover::guard,
            .guards = {"timer_resolves"}},
      Issue{.number = 5,
            .category = "timing",
            .title = "Warm-up bleed",
            .meaning = "Warm-up calls do useful work that the timed calls then find done.",
            .incident = "No public case is recorded here; a variant that remembers what it computed while "
                        "warming up answers the timed calls from memory.",
            .defence =
                "The inputs of a round are drawn when the round begins, after all warm-up, and every call of "
                "a window has a tensor set of its own. What warm-up computed is about other numbers.",
            .cover = Cover::by_construction,
            .guards = {"inputs_fresh", "answer_fresh"}},
      Issue{.number = 6,
            .category = "timing",
            .title = "Clock drift",
            .meaning = "The clock is stepped, runs at another rate on another core, or the virtual machine "
                       "was paused while it went on.",
            .incident = "No public case is recorded here; a wall clock set back by a second in mid-run gives "
                        "negative or absurd times, and a paused machine gives long ones.",
            .defence = "Only monotonic clocks are read. Two of them are compared over each attempt; beyond "
                       "500 ppm the row is rejected. Rounds in which the machine was suspended are "
                       "discarded, by a rule about its state and not about the time.",
            .cover = Cover::guard,
            .guards = {"clocks_agree"}},
      Issue{
          .number = 7,
          .category = "timing",
          .title = "Profiler overhead",
          .meaning = "A profiler, debugger or preloaded library is attached while timing and adds its own "
                     "cost, seldom equally to both sides.",
          .incident = "No public case is recorded here; profilers that record every launch add microseconds "
                      "to each, which turns a ratio of short calls into a ratio of bookkeeping.",
          .defence = "A tracer attached to the worker or a library injected through the environment rejects "
                     "the row. A GPU's activity is recorded by processes that time nothing, and must be as "
                     "where it is timed.",
          .cover = Cover::guard,
          .guards = {"not_traced", "nothing_injected", "audited_as_timed"}},
  };
  return issues;
}

}  // namespace aisp::guards
