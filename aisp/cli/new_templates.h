// SPDX-License-Identifier: Apache-2.0
/// \file
/// The texts `aisp new` writes: a workload that compiles, runs and passes `aisp verify` before a line of it
/// is changed, and the build file of a project around it.
///
///   workload_text({.name = "scan", .id = "local/scan", .title = "scan", .include = "<aisp/aisp.h>"});
///
/// Not a template language: four names are replaced, nothing else.
#pragma once

#include <string>

namespace aisp::cli {

struct NewWorkload {
  std::string name;     ///< "scan"
  std::string id;       ///< "local/scan", "ch07/scan"
  std::string title;    ///< "scan", with the chapter behind it where there is one
  std::string include;  ///< how the public header is reached: <aisp/aisp.h>, "aisp/aisp.h"
};

std::string workload_text(const NewWorkload& workload);
std::string project_text(const NewWorkload& workload);

}  // namespace aisp::cli
