// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that were compiled into the program (cmake/AispEmbed.cmake): the dashboard as it was built, and the
/// sources of the workloads. One copied binary shows both where nothing else is installed.
#pragma once

#include <span>
#include <string_view>

namespace aisp::server {

struct Embedded {
  std::string_view path;  ///< "index.html", "assets/index-4f2a.js"; "workloads/ch07_…/transpose.cu"
  std::string_view bytes;
  std::string_view gzip = {};  ///< the same, compressed; empty where that was not done
};

std::span<const Embedded> dashboard_files();
std::span<const Embedded> workload_sources();

}  // namespace aisp::server
