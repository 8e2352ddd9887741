// SPDX-License-Identifier: Apache-2.0
/// \file
/// One cell of a run: a workload at one size on one device, and what a worker needs to know to measure it.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/config.h"
#include "aisp/core/fields.h"
#include "aisp/core/params.h"

namespace aisp::harness {

struct CellSpec {
  std::string workload;
  std::vector<std::pair<std::string, std::int64_t>> params;
  std::string device = "cpu";
  std::vector<std::string> variants;  ///< to measure; empty: all
  CacheMode cache = CacheMode::hot;
  bool huge_pages = true;
  bool pin = true;
  bool graph = false;         ///< on a GPU: each call is timed as one graph
  int calls = 0;              ///< per timed window; 0: as the warm-up suggests
  double seconds = 0;         ///< of sampling that the coordinator means to give the cell; 0: unknown
  bool wrong_counts = false;  ///< wrong answers were waived: such a variant's windows must suit it too
  double memory_limit = 0;    ///< bytes, as the user gave it; 0 = none
  std::string scratch;        ///< directory for stateful work, made and removed by the coordinator
  std::string seed_domain;    ///< whose inputs are drawn; empty: those of what is published
  AISP_FIELDS(workload, params, device, variants, cache, huge_pages, pin, graph, calls, seconds, wrong_counts,
              memory_limit, scratch, seed_domain)

  Params sizes() const {
    Params sizes;
    for (const auto& [name, value] : params) sizes.set(name, value);
    return sizes;
  }
};

/// Whether the variant was asked for; an empty choice asks for all.
inline bool is_chosen(const std::vector<std::string>& choice, const std::string& variant) {
  return choice.empty() || std::ranges::find(choice, variant) != choice.end();
}

}  // namespace aisp::harness
