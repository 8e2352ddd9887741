// SPDX-License-Identifier: Apache-2.0
/// \file
/// The door between aisp and a plugin: one C symbol that hands over the plugin's workloads after both sides
/// have compared what they were built against. `aisp_add_workload()` in the installed CMake package compiles
/// the file that defines it, aisp/plugin/entry.cpp, into every plugin.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aisp/core/workload.h"

namespace aisp {

struct PluginEntry {
  unsigned abi = 0;  ///< of the headers it was built against (cmake/package/AispPluginAbi.cmake)
  const char* compiler = nullptr;  ///< of the plugin; the C++ library must be the same
  std::size_t workload_bytes = 0;  ///< sizeof(Workload) as the plugin sees it
  std::vector<const Workload*> (*workloads)() = nullptr;
  std::vector<std::string> (*problems)() = nullptr;
};

inline constexpr const char* kPluginSymbol = "aisp_plugin";
using PluginFunction = const PluginEntry* (*)();

/// The C++ library this translation unit is built with.
constexpr const char* abi_of_this_build() {
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
  return "libstdc++ cxx11";
#elif defined(__GLIBCXX__)
  return "libstdc++ old";
#else
  return "other";
#endif
}

}  // namespace aisp
