// SPDX-License-Identifier: Apache-2.0
// Linked into every plugin: exports the one symbol that aisp looks for.
#include "aisp/core/plugin.h"
#include "aisp/core/registry.h"

extern "C" __attribute__((visibility("default"))) const aisp::PluginEntry* aisp_plugin() {
  static const aisp::PluginEntry entry{.abi = aisp::kPluginAbi,
                                       .compiler = aisp::abi_of_this_build(),
                                       .workload_bytes = sizeof(aisp::Workload),
                                       .workloads = [] { return aisp::Registry::instance().workloads(); },
                                       .problems = [] { return aisp::Registry::instance().problems(); }};
  return &entry;
}
