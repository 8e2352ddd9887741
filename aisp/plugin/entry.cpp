// SPDX-License-Identifier: Apache-2.0
// Compiled into every plugin, so that what it says is about the plugin's own build: exports the one symbol
// that aisp looks for.
#include "aisp/core/plugin.h"
#include "aisp/core/registry.h"

#ifndef AISP_PLUGIN_ABI
#error \
    "build plugins with aisp_add_workload() of the CMake package: it says which headers they are built against"
#endif

extern "C" __attribute__((visibility("default"))) const aisp::PluginEntry* aisp_plugin() {
  static const aisp::PluginEntry entry{.abi = AISP_PLUGIN_ABI,
                                       .compiler = aisp::abi_of_this_build(),
                                       .workload_bytes = sizeof(aisp::Workload),
                                       .workloads = [] { return aisp::Registry::instance().workloads(); },
                                       .problems = [] { return aisp::Registry::instance().problems(); }};
  return &entry;
}
