// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> evaluation_issues() {
  static constexpr std::array issues{
      Issue{
          .number = 88,
          .category = "evaluation",
          .title = "Eval-code exploitation",
          .meaning = "The code under test changes the harness: its clock, its checker, its messages.",
          .incident =
              "A public collection holds 22 such submissions, from patched function tables to forged results "
              "on an inherited pipe, and a 2025 evaluation of an automated scientist found invented numbers.",
          .defence = "In shared mode the harness lives beside the variant and trusts its author; the row "
                     "says so. Split mode, with clock, seed and reference in another process, is planned "
                     "behind the same protocol.",
          .cover = Cover::not_yet,
          .guards = {}},
      Issue{.number = 89,
            .category = "evaluation",
            .title = "Timeout manipulation",
            .meaning = "A limit is lengthened, ignored or removed.",
            .incident = "No public case is recorded here; code that ignores SIGTERM and loops for ever holds "
                        "a naive harness for ever.",
            .defence = "The coordinator, another process, holds the deadline and ends the worker with "
                       "SIGKILL; limits are part of the frozen configuration.",
            .cover = Cover::by_construction,
            .guards = {"config_unchanged"}},
      Issue{.number = 90,
            .category = "evaluation",
            .title = "Metric definition gaming",
            .meaning = "Speed-up is redefined, or one impossible cell carries a mean.",
            .incident = "A contest's geometric mean put an entry first with a score of 0.000 because one "
                        "shape had been driven to zero; reviews of language-model and medical benchmarks "
                        "(2025) found metrics that do not measure what they name.",
            .defence = "Speed-up has one definition, ratios must be positive, and a time below the physical "
                       "floor of the declared work is rejected.",
            .cover = Cover::by_construction,
            .guards = {"not_faster_than_floor"}},
      Issue{.number = 91,
            .category = "evaluation",
            .title = "Test-data leakage",
            .meaning = "The judged inputs or their answers can be read by the code under test.",
            .incident = "Surveys of 2023 and 2024 list the ways in which test data reached training sets; a "
                        "GPU exploit scans memory for the expected output.",
            .defence = "Inputs do not exist before their round, but in shared mode seed and reference lie in "
                       "the same process. Split mode will move them out.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 92,
            .category = "evaluation",
            .title = "Benchmark overfitting",
            .meaning = "Work is tuned to one instance and fails beside it.",
            .incident =
                "Models equal on a benchmark differ in use (2020); a sepsis model failed its external "
                "validation (2021); coding scores correlated weakly with users' tasks (2024).",
            .defence = "Values are fresh and from several families, sizes are the declared ones. Sizes held "
                       "back until judged are not there yet.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 93,
            .category = "evaluation",
            .title = "Self-modifying tests",
            .meaning = "The code under test edits tests, tolerances or configuration.",
            .incident = "No public case is recorded here; a constructor that rewrites a tolerance file "
                        "passes everything.",
            .defence = "Configuration is frozen and hashed at both ends and lives in the coordinator; "
                       "tolerances are compiled in.",
            .cover = Cover::guard,
            .guards = {"config_unchanged", "program_unchanged"}},
      Issue{.number = 94,
            .category = "evaluation",
            .title = "Benchmark memorisation",
            .meaning = "Answers to known seeds are built in.",
            .incident = "Agents have been shown to remember the samples of public benchmarks (2024); kernel "
                        "suites with a fixed seed of 42 give the same inputs to everybody.",
            .defence =
                "Seeds are drawn from the kernel for every attempt, committed to before and revealed after.",
            .cover = Cover::by_construction,
            .guards = {"seed_matches"}},
      Issue{.number = 95,
            .category = "evaluation",
            .title = "Missing holdout sets",
            .meaning = "There is no set that was not seen while optimising.",
            .incident = "A 2024 study found many agent benchmarks without one; a chatbot of 2016 met in a "
                        "day what its tests had not.",
            .defence = "Each round's values are unseen, but workloads need not declare a set of sizes kept "
                       "for judging. The judge of candidates will require it.",
            .cover = Cover::not_yet,
            .guards = {}},
  };
  return issues;
}

}  // namespace aisp::guards
