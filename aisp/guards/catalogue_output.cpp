// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> output_issues() {
  static constexpr std::array issues{
      Issue{
          .number = 8,
          .category = "output",
          .title = "Constant output",
          .meaning = "The answer does not depend on the inputs.",
          .incident = "Softmax over long rows gives values near zero: under an absolute tolerance of 0.01, "
                      "outputs of all zeros passed 4 of 60 KernelBench level-1 problems.",
          .defence =
              "Tolerances are relative to what was summed, the checker must reject zeros and constants "
              "before a workload is admitted, and a wrong answer with one value everywhere is named as such.",
          .cover = Cover::guard,
          .guards = {"answer_varies", "answer_right"}},
      Issue{.number = 9,
            .category = "output",
            .title = "Stale cache",
            .meaning = "The answer to earlier inputs is given again, remembered by address, by shape or by a "
                       "few sampled elements.",
            .incident =
                "In flashinfer-bench a cache keyed by pointer made a kernel look about 12.9 times faster; "
                "submissions to public kernel contests have keyed by a fingerprint of the contents.",
            .defence = "New contents appear at the same addresses in every round, and each answer is "
                       "compared with a reference for its own inputs. Variants of a round meet the same "
                       "contents: one that takes its answers from another's work is slow when its turn "
                       "comes first.",
            .cover = Cover::guard,
            .guards = {"answer_fresh", "inputs_fresh", "answer_right", "same_first_or_later"}},
      Issue{.number = 10,
            .category = "output",
            .title = "Approximation drift",
            .meaning = "A rough answer is passed off as the full one because the tolerance is loose.",
            .incident = "A contest entry for a vector sum added 1 % of the elements and scaled the result.",
            .defence = "The tolerance follows from the type and the length of the reduction, not from the "
                       "author's wish; hard input families separate approximations from the real thing, and "
                       "every answer is compared.",
            .cover = Cover::guard,
            .guards = {"answer_right", "every_answer_checked"}},
      Issue{.number = 11,
            .category = "output",
            .title = "Invalid values: NaN",
            .meaning = "The answer holds a NaN that the reference does not.",
            .incident = "A public exploit collection holds a submission that writes NaN so that the "
                        "comparison's maximum difference is never above the limit.",
            .defence = "Comparisons are written so that a NaN fails them; a NaN is accepted only where the "
                       "reference has one.",
            .cover = Cover::guard,
            .guards = {"answer_finite"}},
      Issue{.number = 12,
            .category = "output",
            .title = "Invalid values: Inf",
            .meaning = "The answer overflowed to infinity where the reference did not.",
            .incident = "No public case is recorded here; half-precision accumulation overflows on large "
                        "inputs, and Inf compared with Inf passes many checkers.",
            .defence = "Each element is compared with the reference in double; infinities must stand in the "
                       "same places.",
            .cover = Cover::guard,
            .guards = {"answer_finite"}},
      Issue{.number = 13,
            .category = "output",
            .title = "Invalid ground truth",
            .meaning = "The reference itself is wrong, or is the baseline under test, so that a shared "
                       "mistake passes.",
            .incident = "At least 6 % of ImageNet's validation labels are wrong (2021); an analysis of MMLU "
                        "(2024) found 57 % of its virology questions and 6.5 % of all in error.",
            .defence = "The reference is a function apart from every variant, scalar and wide, and all rungs "
                       "of the ladder are compared with it: a wrong reference rejects all of them. On a GPU, "
                       "where it lies in the device's memory, an error that could not be corrected there "
                       "rejects the row. A second, independent reference is not required yet.",
            .cover = Cover::by_construction,
            .guards = {"answer_right", "device_memory_sound"}},
      Issue{.number = 14,
            .category = "output",
            .title = "Shape mismatch",
            .meaning = "Fewer, more or other elements are written than the problem asks for.",
            .incident = "No public case is recorded here; leaving out the last element of a row passes any "
                        "check that looks at a sample of the output.",
            .defence = "The harness allocates the output from the declared shape: missing elements keep "
                       "their poison, surplus ones change a guard word.",
            .cover = Cover::guard,
            .guards = {"output_written", "bounds_respected"}},
      Issue{.number = 15,
            .category = "output",
            .title = "Dtype mismatch",
            .meaning = "Values are stored in another type than declared, or rounded to a narrower one and "
                       "stored wide.",
            .incident = "No public case is recorded here; floats rounded to bfloat16 before they are stored "
                        "look right to a tolerance of 1 %.",
            .defence = "Outputs are typed views over the harness's memory, so another type cannot be "
                       "declared; rounding shows as error, and the lower-precision mutant must be rejected "
                       "for the workload to be admitted.",
            .cover = Cover::by_construction,
            .guards = {"answer_right"}},
      Issue{
          .number = 16,
          .category = "output",
          .title = "Denormalised values",
          .meaning = "Subnormal numbers slow one side down, or a variant turns on flush-to-zero and speeds "
                     "up everything after it.",
          .incident = "No public case is recorded here; code that sets flush-to-zero in its set-up changes "
                      "the arithmetic of the baseline measured next to it.",
          .defence =
              "The floating-point control register is read before and after calls; a change rejects the row.",
          .cover = Cover::guard,
          .guards = {"rounding_mode_kept"}},
      Issue{.number = 17,
            .category = "output",
            .title = "Uninitialised memory",
            .meaning = "Part of the output or of the scratch space is read or returned as it was found.",
            .incident = "The AI CUDA Engineer of early 2025 reported gains of 10 to 100 times; some of its "
                        "kernels returned memory in which the reference's result still lay, and one praised "
                        "as 150 times faster was three times slower.",
            .defence =
                "Outputs are filled with fresh random NaN poison before every call, so what is left "
                "unwritten or used unwritten shows. Running twice with different poison is not done yet.",
            .cover = Cover::guard,
            .guards = {"output_written", "answer_finite", "answer_right"}},
  };
  return issues;
}

}  // namespace aisp::guards
