// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> compile_issues() {
  static constexpr std::array issues{
      Issue{.number = 53,
            .category = "compile",
            .title = "Compilation cache hit",
            .meaning = "A cache gives an old or planted program in place of the one just built.",
            .incident = "No public case is recorded here; a shared object put under the expected key is "
                        "measured in place of the sources beside it.",
            .defence = "Build ids of the program and its libraries are in the manifest. Nothing proves that "
                       "they were built from the sources at hand.",
            .cover = Cover::recorded,
            .guards = {"program_unchanged"}},
      Issue{.number = 54,
            .category = "compile",
            .title = "Trace reuse",
            .meaning = "A recorded graph or command list is replayed with parameters that no longer hold.",
            .incident = "No public case is recorded here; a graph bound to the old input gives the old "
                        "answer, quickly.",
            .defence =
                "Every round has other inputs, in rotating sets of buffers where windows are steady, and "
                "every answer is checked: a stale graph gives a stale answer.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 55,
            .category = "compile",
            .title = "Mode inconsistency",
            .meaning = "What is verified is built or run differently from what is timed.",
            .incident = "No public case is recorded here; a build with its verification macro set can be "
                        "right while the build that is timed is not.",
            .defence = "There is no verify mode: the answers that are checked are the answers that were "
                       "timed, and all of them are.",
            .cover = Cover::by_construction,
            .guards = {"every_answer_checked"}},
      Issue{.number = 56,
            .category = "compile",
            .title = "Compiler asymmetry",
            .meaning = "Baseline and candidate are built with different compilers, flags or targets.",
            .incident =
                "A study of generated kernels counts inefficient baselines among the main sources of "
                "reported gains: the average fell from 3.13 to 1.49 times when such tasks were removed.",
            .defence = "The variants of a workload are compiled together with one set of flags; compiler and "
                       "flags are in the manifest. Two plugins compared with each other can still differ, "
                       "and the manifest shows it.",
            .cover = Cover::by_construction,
            .guards = {}},
      Issue{.number = 57,
            .category = "compile",
            .title = "Guard failure hidden",
            .meaning = "A fallback, a recompilation or a re-tuning happens now and then and is not counted.",
            .incident = "No public case is recorded here; a path taken once in ten calls shows as a second "
                        "mode in the times.",
            .defence = "Two modes in the times are detected and noted; on a GPU an audit counts compilations "
                       "in windows, and one rejects the row.",
            .cover = Cover::guard,
            .guards = {"one_mode", "nothing_set_up_in_window"}},
      Issue{.number = 58,
            .category = "compile",
            .title = "Autotuning variance",
            .meaning = "Another algorithm is chosen in each process.",
            .incident = "Two identical workloads came out 38 % apart on a shared build machine while each "
                        "claimed 0.5 % error.",
            .defence = "At least three processes measure each cell; when they disagree the interval widens "
                       "and the row says so. Settings searched for an anchor are stored with its result.",
            .cover = Cover::recorded,
            .guards = {"attempts_agree"}},
      Issue{.number = 59,
            .category = "compile",
            .title = "Symbolic shape exploit",
            .meaning = "The code is fast or right only at the benchmark's own sizes.",
            .incident = "Screening rules of kernel contests look for entries that switch to an unsafe "
                        "algorithm at the known sizes.",
            .defence = "Workloads declare several sizes and each is checked, but sizes around them are not "
                       "drawn yet; the judge of untrusted candidates will.",
            .cover = Cover::not_yet,
            .guards = {}},
  };
  return issues;
}

}  // namespace aisp::guards
