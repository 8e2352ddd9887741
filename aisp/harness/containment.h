// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a worker does to itself before any workload code is loaded, so that the code can harm only its own
/// process: it dies with the coordinator, is first in line for the out-of-memory killer, has a memory limit,
/// writes no core file, and cannot start other processes (a seccomp filter; a fork bomb ends at its first
/// fork).
#pragma once

#include "aisp/core/result.h"

namespace aisp::harness {

/// The kernel's highest: a worker goes before anything else on the machine. Inherited by what it starts.
inline constexpr int kWorkerOomScore = 1000;

struct Containment {
  double memory_limit_bytes = 0;  ///< of address space; 0 = none
  bool may_fork = false;
};

/// Applies the limits to the calling process. What the kernel does not offer is skipped and named in the
/// result.
Status contain(const Containment& limits);

}  // namespace aisp::harness
