// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> memory_issues() {
  static constexpr std::array issues{
      Issue{.number = 36,
            .category = "memory",
            .title = "Pre-allocated output",
            .meaning = "A buffer filled earlier is returned as the answer.",
            .incident = "No public case is recorded here; a pointer to a result made in set-up costs nothing "
                        "to return.",
            .defence = "A variant returns nothing: it writes into the harness's output, which held poison a "
                       "moment ago.",
            .cover = Cover::by_construction,
            .guards = {"output_written"}},
      Issue{.number = 37,
            .category = "memory",
            .title = "Input-output aliasing",
            .meaning = "The output overlaps the input, or the input is overwritten so that a wrong answer "
                       "becomes right.",
            .incident = "A cheat in a public contest's own tests zeroes the inputs and returns zeros: the "
                        "reference, computed later from the same memory, agrees.",
            .defence = "Inputs are hashed when drawn and again after each call; a changed one rejects the "
                       "row and is drawn again before the next variant sees it.",
            .cover = Cover::guard,
            .guards = {"inputs_unchanged"}},
      Issue{.number = 38,
            .category = "memory",
            .title = "Pinned memory timing",
            .meaning = "A copy from pinned memory is started and not awaited.",
            .incident = "No public case is recorded here; an asynchronous copy costs the caller about a "
                        "microsecond, whatever its size.",
            .defence = "On a GPU copies have records of their own: one that runs outside its window rejects "
                       "the row, and so does a device that is busy after the timed work.",
            .cover = Cover::guard,
            .guards = {"device_work_in_window"}},
      Issue{.number = 39,
            .category = "memory",
            .title = "Memory pool reuse",
            .meaning = "One side finds warm blocks in the allocator, or an old answer in a recycled one.",
            .incident = "KernelBench keeps an adversarial example that allocates an empty output and finds "
                        "the reference's result in it.",
            .defence = "Outputs belong to the harness and are poisoned; all variants of a round share one "
                       "process and take turns in random order, so neither side owns the warm pool.",
            .cover = Cover::by_construction,
            .guards = {"output_written", "answer_fresh"}},
      Issue{.number = 40,
            .category = "memory",
            .title = "Fragmentation effects",
            .meaning = "The state of the heap or of the address space differs between the sides.",
            .incident = "No public case is recorded here; a heap left in pieces by one side's set-up slows "
                        "the other side's allocations.",
            .defence = "At least three fresh processes measure each cell and the spread of their medians is "
                       "stored and noted; the heap's own state is not recorded.",
            .cover = Cover::recorded,
            .guards = {"attempts_agree"}},
      Issue{.number = 41,
            .category = "memory",
            .title = "Page-fault timing",
            .meaning = "First touches of memory are inside the window of one side.",
            .incident = "No public case is recorded here; a baseline on untouched memory pays a fault for "
                        "every 4 KiB and loses to anything that comes second.",
            .defence = "The harness touches all its buffers before the first window. Faults inside windows "
                       "are counted: any that waits for a disk rejects the row, frequent small ones are "
                       "noted as the variant's own allocation.",
            .cover = Cover::guard,
            .guards = {"no_page_faults"}},
      Issue{.number = 42,
            .category = "memory",
            .title = "Swap interference",
            .meaning = "Pages go to disk and come back while timing.",
            .incident = "No public case is recorded here; a window that waits for a swapped page is a "
                        "thousand times too long.",
            .defence = "System-wide swapping during an attempt rejects the row, and sizes that do not fit "
                       "free memory are refused beforehand.",
            .cover = Cover::guard,
            .guards = {"no_swap", "no_page_faults"}},
  };
  return issues;
}

}  // namespace aisp::guards
