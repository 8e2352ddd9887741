// SPDX-License-Identifier: Apache-2.0
/// \file
/// The door between aisp and a plugin: one C symbol that hands over the plugin's workloads after both sides
/// have compared versions. `aisp_add_workload()` in the installed CMake package links the object file that
/// defines it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aisp/core/workload.h"

namespace aisp {

/// Raised whenever a type that crosses the door changes.
inline constexpr unsigned kPluginAbi = 1;

struct PluginEntry {
  unsigned abi = kPluginAbi;
  const char* compiler = nullptr;  ///< of the plugin; the C++ library must be the same
  std::size_t workload_bytes = 0;  ///< sizeof(Workload) as the plugin sees it
  std::vector<const Workload*> (*workloads)() = nullptr;
  std::vector<std::string> (*problems)() = nullptr;
};

inline constexpr const char* kPluginSymbol = "aisp_plugin";
using PluginFunction = const PluginEntry* (*)();

/// The compiler and C++ library this translation unit is built with.
const char* abi_of_this_build();

}  // namespace aisp
