// SPDX-License-Identifier: Apache-2.0
/// \file
/// The worker process: applies its containment, loads plugins, then answers requests until the coordinator
/// closes the channel. Started by `aisp worker`; never by a person.
#pragma once

#include <string>
#include <vector>

namespace aisp::harness {

struct WorkerOptions {
  int fd = 3;  ///< the channel
  std::vector<std::string> plugins;
  double memory_limit_bytes = 0;
};

/// Returns the exit code.
int run_worker(const WorkerOptions& options);

}  // namespace aisp::harness
