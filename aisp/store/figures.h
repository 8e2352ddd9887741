// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the store knows about variants, one figure each: the latest valid one of every variant, size, device
/// and machine. The source of every analysis.
///
///   Result<std::vector<Figure>> figures = latest_figures(store, {.workloads = {"ch07/transpose"}});
///
/// The cost follows the number of different things measured, not the number of results. A store whose table
/// is missing or behind, and that may not be changed, is answered from the events themselves: the same
/// answer, at the price of reading their payloads.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/figure.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// Empty text and empty lists do not restrict.
struct FigureQuery {
  std::vector<std::string> workloads;  ///< exact
  std::string hardware;                ///< a part of its name, in any case
  std::string device;                  ///< exact, or a kind: "cuda" for every "cuda:N"
};

/// For each variant the latest valid figure, `newest` where nothing came later; the latest of all where none
/// is valid. Ordered by workload, hardware, device, size, cache mode and variant.
Result<std::vector<Figure>> latest_figures(Store& store, const FigureQuery& query = {});

/// Of which there are figures, sorted.
Result<std::vector<std::string>> figure_workloads(Store& store);

}  // namespace aisp::store
