// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> location_issues() {
  static constexpr std::array issues{
      Issue{.number = 29,
            .category = "location",
            .title = "CPU spillover",
            .meaning = "Work declared for the GPU is done on the CPU.",
            .incident = "No public case is recorded here; under a device-only timer, arithmetic done by the "
                        "host before the first launch costs nothing.",
            .defence =
                "On a GPU a call is as slow as the slower of its two sides: host time beyond "
                "launching counts, and host functions in streams reject the row. Of calls that the "
                "host's clock times an audit tells how long the host was busy outside the driver while "
                "the device was idle.",
            .cover = Cover::guard,
            .guards = {"host_only_launches", "no_host_functions"}},
      Issue{.number = 30,
            .category = "location",
            .title = "Set-up pre-computation",
            .meaning = "The result is computed while preparing, where nobody times.",
            .incident = "A contest starter kit was reported to cache dequantised weights between calls, so "
                        "that the timed calls skipped part of the task.",
            .defence = "prepare() sees shapes and never contents; inputs are drawn afterwards. Its duration "
                       "is shown as set-up.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 31,
            .category = "location",
            .title = "Graph capture cheat",
            .meaning = "Work is done while a CUDA graph is captured, and the replay is empty or a copy.",
            .incident = "No public case is recorded here; timers that replay a captured graph on the same "
                        "inputs cannot tell.",
            .defence =
                "A graph is launched inside a call like anything else: every round has other inputs at the "
                "same addresses, and every answer is checked.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 32,
            .category = "location",
            .title = "Warm-up computation",
            .meaning = "The answers to the judged inputs are found during warm-up.",
            .incident = "No public case is recorded here; a queue filled in warm-up hands out finished "
                        "answers in the timed calls.",
            .defence = "The judged inputs do not exist during warm-up: each round draws its own.",
            .cover = Cover::by_construction,
            .guards = {"inputs_fresh", "answer_fresh"}},
      Issue{.number = 33,
            .category = "location",
            .title = "Background thread",
            .meaning = "The work runs on a thread or process of its own and ends after the clock has "
                       "stopped, or on more cores than declared.",
            .incident = "A kernel evaluator that counts only its own language's threads misses a native one "
                        "started in a static initialiser.",
            .defence = "Threads are counted before and after, CPU time after the return is measured, and CPU "
                       "time over wall time must fit the declared threads.",
            .cover = Cover::guard,
            .guards = {"no_work_after_return", "threads_as_declared", "device_work_in_window"}},
      Issue{.number = 34,
            .category = "location",
            .title = "Lazy evaluation",
            .meaning = "The call hands back a promise and the work is done when somebody reads it.",
            .incident = "A public contest for eigenvalue problems had an entry of about 17 µs whose result "
                        "computed itself when read.",
            .defence = "Answers are plain memory of the harness, so there is no object that could compute on "
                       "reading. Page-fault tricks are for split mode to deny.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 35,
            .category = "location",
            .title = "JIT compilation timing",
            .meaning = "Compiling, loading or choosing an algorithm is timed on one side only.",
            .incident = "A user of a GPU timer found 11.2 ms instead of 8.8 ms because the default warm-up "
                        "was too short.",
            .defence = "Set-up and warm-up come before the first window for every variant, and set-up time "
                       "is stored. On a GPU, code compiled or loaded in a window rejects the row. What a "
                       "library compiles later on a CPU is not detected.",
            .cover = Cover::guard,
            .guards = {"nothing_set_up_in_window"}},
  };
  return issues;
}

}  // namespace aisp::guards
