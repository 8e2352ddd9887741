// SPDX-License-Identifier: Apache-2.0
/// \file
/// Refuses sizes that do not fit before anything is allocated: an out-of-memory kill would lose the run.
#pragma once

#include <string>

#include "aisp/core/problem.h"
#include "aisp/core/result.h"

namespace aisp::harness {

/// "20.6 GiB", as sizes stand in messages.
std::string readable_bytes(double bytes);

/// What the kernel says can be had without swapping, or what this process's cgroup and those above it still
/// allow, whichever is less. Tests pass a folder that stands for the root of the file system.
double free_memory_bytes(const std::string& root_folder = "");

/// Everything one worker needs for a problem: its tensors, the reference in double, the largest plan.
double needed_bytes(const Problem& problem);

/// Refuses what needs more than nine tenths of what is free, or than `limit` where there is one, and says
/// both.
Status fits_memory(double needed, double limit = 0);

/// Of address space: below it the program itself and its libraries do not fit.
inline constexpr double kLeastMemory = 256.0 * (1 << 20);
/// Refuses a limit with which no worker can start; 0 is none.
Status check_memory_limit(double limit);

}  // namespace aisp::harness
