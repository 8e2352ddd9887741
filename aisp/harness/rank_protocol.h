// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the messages of collective work carry beyond those of other work. A launcher holds one worker per
/// rank. It opens the cell in each with that rank's place, and each round it sends "release" to all of them:
/// the ranks meet in a barrier, run, and each answers "completed" when its own output is complete. The window
/// is from the earliest release to the latest completion on the launcher's clock, so that no rank can hide
/// behind a faster one. Outputs are checked rank by rank when the cell is closed.
///
/// docs/design/worker_protocol.md has the table of messages. No launcher is built in: a worker that is asked
/// for collective work says so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/result.h"

namespace aisp::harness {

/// Coordinator to worker, with "open": who this rank is and how it reaches the others.
struct RankPlace {
  int rank = 0, ranks = 1;
  std::string exchange;       ///< address of the launcher's Exchange, in words only the launcher reads
  std::int64_t clock_ns = 0;  ///< this host's clock minus the launcher's, as the launcher measured it
  AISP_FIELDS(rank, ranks, exchange, clock_ns)
};

/// Worker to coordinator, with "completed": one rank's part of one round, on the launcher's clock.
struct RankWindow {
  int rank = 0;
  double released_ns = 0, completed_ns = 0;
  double busy_ns = 0;                       ///< inside the variant, waiting for others left out
  double wire_bytes = 0;                    ///< sent through the Exchange
  std::vector<std::int64_t> message_bytes;  ///< of each message sent, in order
  std::string host, device;                 ///< where it ran
  AISP_FIELDS(rank, released_ns, completed_ns, busy_ns, wire_bytes, message_bytes, host, device)
};

/// The answer of a build without a launcher.
inline Error no_rank_launcher(const std::string& workload) {
  return {ErrorCode::environment,
          workload + " is collective work, which needs a rank launcher, and this build has none",
          "choose workloads of another shape: `aisp list --shape call`"};
}

}  // namespace aisp::harness
