// SPDX-License-Identifier: Apache-2.0
/// \file
/// The path and the query of a request, decoded once and strictly: what is not plainly a path is refused.
///
///   parse_target("/api/v1/workloads/ch07%2Ftranspose?by=time&by=memory")
///   // segments {"api", "v1", "workloads", "ch07/transpose"}, query {{"by", "time"}, {"by", "memory"}}
///
/// Nothing here becomes a name of a file. "..", NUL and "\" are refused all the same: nobody means them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/server/message.h"

namespace aisp::server {

struct Target {
  std::vector<std::string> segments;  ///< of the path, each decoded; none for "/"
  Fields query;                       ///< decoded, in order; "+" is a space
};

Result<Target> parse_target(std::string_view target);

/// "/api/v1/runs": the segments joined again.
std::string path_of(const Target& target);

}  // namespace aisp::server
