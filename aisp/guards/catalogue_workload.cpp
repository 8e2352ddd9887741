// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> workload_issues() {
  static constexpr std::array issues{
      Issue{.number = 18,
            .category = "workload",
            .title = "Precision mismatch",
            .meaning = "The work is declared in one precision and done in a lower one.",
            .incident = "Evaluators with a tolerance of 0.01 accept half-precision arithmetic for single, "
                        "and authors of such suites call it only partly defensible.",
            .defence = "The allowed error follows from the declared type, and the family with cancellation "
                       "makes a narrower one visible. `aisp verify` shows for each workload that a "
                       "lower-precision answer is rejected.",
            .cover = Cover::guard,
            .guards = {"answer_right"}},
      Issue{
          .number = 19,
          .category = "workload",
          .title = "Backend precision policy drift",
          .meaning =
              "A global switch changes during the run: rounding mode, flush-to-zero, a library's math mode.",
          .incident = "From 2020 on, matrix products on a new GPU generation used TF32 unless switched off, "
                      "and results changed precision with no change of code.",
          .defence = "On the CPU the control register is compared before and after. Math modes of GPU "
                     "libraries will be recorded with the CUDA device.",
          .cover = Cover::guard,
          .guards = {"rounding_mode_kept"}},
      Issue{.number = 20,
            .category = "workload",
            .title = "Undeclared shortcuts",
            .meaning = "Rows, tiles or requests are left out.",
            .incident = "Studies of agents on benchmarks (2024) found shortcuts that pass the tests without "
                        "doing the task.",
            .defence = "Every element of every timed answer is compared, or projected with a chance of at "
                       "most 1e-9 to miss; a trace must be answered in full.",
            .cover = Cover::guard,
            .guards = {"every_answer_checked", "answer_right", "output_written", "trace_answered",
                       "compulsory_bytes_read"}},
      Issue{.number = 21,
            .category = "workload",
            .title = "Early exit",
            .meaning = "A loop ends before its declared number of steps, or before the declared residual.",
            .incident = "No public case is recorded here; a solver that stops at 10 of 100 sweeps is ten "
                        "times faster and nearly right.",
            .defence = "The answer after all steps is what the reference gives; a time below the physical "
                       "floor of the declared work is rejected whatever the answer.",
            .cover = Cover::guard,
            .guards = {"answer_right", "not_faster_than_floor"}},
      Issue{.number = 22,
            .category = "workload",
            .title = "Batch shrinking",
            .meaning = "Fewer samples are processed than the batch holds.",
            .incident = "No public case is recorded here; half the batch is computed and the results are "
                        "written twice.",
            .defence = "The harness owns the batch and draws each sample from its own stream, so results "
                       "cannot be shared between samples; all are checked.",
            .cover = Cover::by_construction,
            .guards = {"answer_right", "output_written", "trace_answered"}},
      Issue{.number = 23,
            .category = "workload",
            .title = "Sequence truncation",
            .meaning = "The end of a sequence is ignored.",
            .incident = "No public case is recorded here; dropping the last eighth of the keys in attention "
                        "changes few results by much.",
            .defence = "The reference reads every position and the hard families put weight where truncation "
                       "would hide; the truncated-tail mutant must be rejected.",
            .cover = Cover::guard,
            .guards = {"answer_right"}},
      Issue{.number = 24,
            .category = "workload",
            .title = "Hidden downsampling",
            .meaning = "The work is done at lower resolution and scaled up.",
            .incident = "No public case is recorded here; smooth inputs survive a halving and doubling "
                        "almost unharmed.",
            .defence = "Inputs are random at the finest resolution, where neighbours have nothing in common.",
            .cover = Cover::guard,
            .guards = {"answer_right"}},
      Issue{.number = 25,
            .category = "workload",
            .title = "Sparsity mismatch",
            .meaning = "Small weights are dropped, or another pattern of zeros is used than the baseline's.",
            .incident = "No public case is recorded here; pruning in set-up makes the product cheaper and "
                        "slightly wrong.",
            .defence = "Weights are inputs the harness draws and nobody may change; dropping them is an "
                       "error the tolerance does not cover.",
            .cover = Cover::guard,
            .guards = {"answer_right", "inputs_unchanged"}},
      Issue{
          .number = 26,
          .category = "workload",
          .title = "Attention mask mismatch",
          .meaning = "Another mask is applied, or none, in places.",
          .incident =
              "No public case is recorded here; skipping the mask in padded rows saves work where few look.",
          .defence =
              "The mask is part of the declared problem and of the reference, and all rows are compared.",
          .cover = Cover::guard,
          .guards = {"answer_right"}},
      Issue{.number = 27,
            .category = "workload",
            .title = "KV cache mismatch",
            .meaning = "Fewer entries are kept, or in lower precision.",
            .incident = "No public case is recorded here; keeping the last 256 of 1024 entries is four times "
                        "less memory traffic and often nearly right.",
            .defence = "The answer depends on every entry and is compared within the type's tolerance. Bytes "
                       "held are measured in an attempt of their own.",
            .cover = Cover::guard,
            .guards = {"answer_right"}},
      Issue{.number = 28,
            .category = "workload",
            .title = "Train/test overlap",
            .meaning = "The inputs used for tuning are the inputs judged.",
            .incident = "A 2019 review in computational biology found tools tested on the data they had been "
                        "developed on, which then failed on new data.",
            .defence = "Judged inputs come from a seed that the kernel gives when the attempt starts; its "
                       "hash is stored before the first round, so no tuning can have seen them.",
            .cover = Cover::by_construction,
            .guards = {"seed_matches"}},
  };
  return issues;
}

}  // namespace aisp::guards
