// SPDX-License-Identifier: Apache-2.0
/// \file
/// Starts the process of a worker and ties the ends that WorkerProcess holds: the channel, the notice board
/// and the pipe with everything it prints.
///
///   Result<LaunchedWorker> launched = launch_worker(setup);
///   LineChannel channel(launched->channel);
///
/// Not the owner of anything: whoever launches a worker must reap it and close its ends.
#pragma once

#include <sys/types.h>

#include "aisp/core/result.h"
#include "aisp/harness/notice_board.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

struct LaunchedWorker {
  pid_t pid = -1;    ///< also the number of its process group
  int channel = -1;  ///< socket of the line protocol
  int output = -1;   ///< read end of its stdout and stderr, non-blocking
  NoticeBoard board;
};

Result<LaunchedWorker> launch_worker(const WorkerSetup& setup);

}  // namespace aisp::harness
