// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/catalogue.h"

#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/worker_process.h"

namespace aisp::cli {

Result<std::vector<harness::WorkloadInfo>> load_catalogue(const std::vector<std::string>& plugins) {
  if (plugins.empty()) return harness::built_in_catalogue();
  RunConfig config;
  config.timeout_seconds = 10;
  Result<harness::WorkerProcess> worker =
      harness::WorkerProcess::start({.plugins = plugins, .limits = harness::limits_of(config)});
  if (!worker) return worker.error();
  std::vector<harness::WorkloadInfo> catalogue;
  const harness::Answer answer =
      worker->ask({.op = "describe"}, "catalogue",
                  [&](harness::WorkerReply& reply) { catalogue = std::move(reply.catalogue); });
  if (answer.error) return *answer.error;
  if (answer.end) {
    return Error{ErrorCode::workload,
                 "a plugin " + answer.end->status + " while it was loaded: " + answer.end->detail,
                 "its constructors must not do work"};
  }
  return catalogue;
}

Flag plugin_flag() {
  return {.name = "plugin",
          .kind = FlagKind::list,
          .help = "shared library with more workloads",
          .value = "FILE"};
}

}  // namespace aisp::cli
