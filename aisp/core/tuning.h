// SPDX-License-Identifier: Apache-2.0
/// \file
/// A configuration that was judged faster than what its variant declares: at one size, on one device, by one
/// build. Kept in the store and used by `aisp run --tuned`, there and nowhere else.
#pragma once

#include <string>

#include "aisp/core/config.h"
#include "aisp/core/fields.h"
#include "aisp/core/record.h"

namespace aisp {

struct Tuning {
  std::string workload, variant;  ///< as declared: "ch07/transpose", "tiled"
  std::string parameters;         ///< the size it holds for: "n=2048"
  std::string device;             ///< "cpu"
  std::string hardware;           ///< key, as of results and ceilings
  std::string build;              ///< SHA-256 of the program, and of the plugin that has the workload
  CacheMode cache = CacheMode::hot;
  bool graph = false;
  std::string chosen;    ///< "tiled@tile=32"; empty: what was known is forgotten
  std::string tuned_on;  ///< the size of the search; another than `parameters` where it was only judged here
  std::string run;       ///< that judged it
  std::string date;      ///< UTC
  RatioEstimate ratio;   ///< over the variant as declared, in that run
  AISP_FIELDS(workload, variant, parameters, device, hardware, build, cache, graph, chosen, tuned_on, run,
              date, ratio)

  /// Whether both are answers to the same question.
  bool same_key(const Tuning& other) const {
    return workload == other.workload && variant == other.variant && parameters == other.parameters &&
           device == other.device && hardware == other.hardware && build == other.build &&
           cache == other.cache && graph == other.graph;
  }
  bool is_own() const { return tuned_on == parameters; }
};

}  // namespace aisp
