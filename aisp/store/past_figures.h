// SPDX-License-Identifier: Apache-2.0
/// \file
/// Everything the store knows of one variant over time, without a raw sample: what a history is made of.
///
///   each_past(store, {.workloads = {"ch07/transpose"}, .hardware = key, .device = "cpu"},
///             [&](PastFigures&& past) { ... });
///
/// One series at a time, so that the memory it takes does not follow the size of the store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::store {

struct PastFigure {
  std::int64_t seq = 0;
  std::string_view run;  ///< until each_past() ends
  std::string finished;
  Goal goal = Goal::speed;
  Validity validity = Validity::unproven;
  std::optional<Estimate> figure, time_ns;  ///< the time only where there is no figure
};

struct PastFigures {
  std::string workload, hardware, device, parameters, cache, variant;
  std::vector<PastFigure> figures;  ///< in the order in which they were stored, whatever their validity
};

/// Empty text and empty lists do not restrict.
struct PastQuery {
  std::vector<std::string> workloads;  ///< exact
  std::string hardware;                ///< exact
  std::string device;                  ///< exact, or a kind: "cuda" for every "cuda:N"
  std::string variant_begins;          ///< how the variant's name begins
};

/// By workload, size, device, cache mode and variant. `visit` may read from the same store.
Status each_past(Store& store, const PastQuery& query, const std::function<void(PastFigures&&)>& visit);

}  // namespace aisp::store
