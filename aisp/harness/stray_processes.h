// SPDX-License-Identifier: Apache-2.0
/// \file
/// Processes that workload code started and left behind. A worker may start none where the kernel has seccomp
/// (containment.h); this is the second line, for kernels without it. Daemons leave their worker's process
/// group, so that killing the group misses them: the coordinator becomes the parent of such orphans, and ends
/// them whenever a worker has ended.
///
///   adopt_orphans();
///   own_worker(pid);      // after fork()
///   disown_worker(pid);   // after waitpid()
///   end_strays();
///
/// Told from other children by the out-of-memory score that workers give themselves and all processes
/// inherit; one that gives itself another score is missed. Not for a coordinator that is killed itself: its
/// workers die with it, their daemons then do not.
#pragma once

#include <sys/types.h>

namespace aisp::harness {

/// Orphaned descendants become children of this process from now on.
void adopt_orphans();

/// Workers are children too, but no strays.
void own_worker(pid_t worker);
void disown_worker(pid_t worker);

/// Kills and reaps strays until none is left, for a second at most; how many there were.
int end_strays();

}  // namespace aisp::harness
