// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which processors this process may use, and binding threads to them. Cheap: system calls and a few small
/// files.
///
///   const std::vector<int> cpus = cpus_by_core();   // {0, 2, 4, 1, 3, 5} where 0 and 1 share a core
///   pin_current_thread(cpus[1]);
///
/// Not the machine's topology: see topology.h.
#pragma once

#include <vector>

namespace aisp::device {

/// Processors the scheduler may run this process on when it started, ascending. Never empty.
std::vector<int> allowed_cpus();

/// The same, ordered so that the first k are on as many different cores as possible.
std::vector<int> cpus_by_core();

/// How many different cores the allowed processors belong to.
int allowed_cores();

/// Binds the calling thread; false when the kernel refuses.
bool pin_current_thread(int cpu);
/// Lets the calling thread run on any of these; false when the kernel refuses.
bool allow_current_thread(const std::vector<int>& cpus);
/// The processors the calling thread may run on now.
std::vector<int> current_thread_cpus();

}  // namespace aisp::device
