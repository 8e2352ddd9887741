// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/guards/catalogue.h"
#include "aisp/guards/catalogue_parts.h"

namespace aisp::guards {

std::span<const Issue> distributed_issues() {
  static constexpr std::array issues{
      Issue{.number = 60,
            .category = "distributed",
            .title = "Rank skipping",
            .meaning = "A rank does nothing and is covered by the others.",
            .incident = "No public case is recorded here; a rank that copies its neighbour's shard is never "
                        "missed when one rank's result is checked.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. Each rank "
                       "will get inputs secret from the others and have its own output checked.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 61,
            .category = "distributed",
            .title = "Collective short-circuit",
            .meaning = "The exchange is skipped or done locally.",
            .incident = "No public case is recorded here; with equal inputs on all ranks, the local value "
                        "times the number of ranks is the right sum.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. Inputs "
                       "will differ by rank, so a local answer is wrong.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 62,
            .category = "distributed",
            .title = "Topology mismatch",
            .meaning = "The run claims other nodes or links than it used.",
            .incident =
                "No public case is recorded here; eight ranks on one device are presented as eight devices.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. Host, "
                       "device and link of every rank will be in the manifest and compared with the claim.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 63,
            .category = "distributed",
            .title = "Barrier timing",
            .meaning = "The clock stops between barriers and misses the slowest rank.",
            .incident = "No public case is recorded here; the first rank to finish looks like the whole job.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. Time will "
                       "run from the release of the first rank to the completion of the last.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 64,
            .category = "distributed",
            .title = "Gradient bucketing mismatch",
            .meaning = "Messages are grouped differently from the baseline's.",
            .incident = "No public case is recorded here; one large message against many small ones compares "
                        "networks, not algorithms.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. Message "
                       "sizes will be part of the declared work.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 65,
            .category = "distributed",
            .title = "Async gradient timing",
            .meaning = "A collective is still in flight when the step is called done.",
            .incident = "No public case is recorded here; the exchange overlaps the next step's set-up and "
                        "is never timed.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. All ranks "
                       "and streams will be idle before the window closes.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{.number = 66,
            .category = "distributed",
            .title = "Pipeline bubble hiding",
            .meaning = "Filling and draining a pipeline are left out of the time.",
            .incident = "No public case is recorded here; timing the middle micro-batches only makes any "
                        "depth look free.",
            .defence = "Types and protocol for collective work are declared; ranks come with MPI. The window "
                       "will hold the first input and the last output; steady state is a second figure.",
            .cover = Cover::not_yet,
            .guards = {}},
      Issue{
          .number = 67,
          .category = "distributed",
          .title = "Shard size mismatch",
          .meaning = "Shards are smaller or fewer than the whole.",
          .incident =
              "No public case is recorded here; a remainder dropped by integer division is work nobody does.",
          .defence = "Types and protocol for collective work are declared; ranks come with MPI. Sizes will "
                     "have to add up to the whole, and every element be checked.",
          .cover = Cover::not_yet,
          .guards = {}},
  };
  return issues;
}

}  // namespace aisp::guards
