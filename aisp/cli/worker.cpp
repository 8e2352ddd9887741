// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/worker.h"

#include "aisp/cli/commands.h"

namespace aisp::cli {
namespace {

int run_worker(const Arguments& arguments) {
  return harness::run_worker({.fd = static_cast<int>(arguments.number("fd")),
                              .plugins = arguments.list("plugin"),
                              .memory_limit_bytes = arguments.number("memory-limit")});
}

}  // namespace

const Command kWorker{
    .name = "worker",
    .summary = "Runs workload code for a coordinator (started by aisp itself)",
    .flags = {{.name = "fd",
               .kind = FlagKind::integer,
               .help = "channel",
               .value = "N",
               .fallback = "3",
               .high = 1024},
              {.name = "plugin", .kind = FlagKind::list, .help = "plugin to load", .value = "FILE"},
              {.name = "memory-limit",
               .kind = FlagKind::real,
               .help = "bytes of address space",
               .value = "BYTES",
               .fallback = "0",
               .high = 1e18}},
    .run = run_worker,
    .hidden = true};

}  // namespace aisp::cli
