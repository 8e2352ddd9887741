// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sizes on which a tuned configuration is judged besides the one it was tuned for. A choice that is
/// right for one size only must show there.
#pragma once

#include <cstdint>
#include <vector>

#include "aisp/core/params.h"
#include "aisp/harness/catalogue.h"

namespace aisp::harness {

/// Of the sizes that the workload lists, the first and the last that are not among the tuned ones; and one
/// that nobody could list: every axis but "threads" is drawn between its smallest and its largest value, or
/// between half and twice the tuned one where no axis lists two. `listed` are the workload's cells that fit
/// this machine; `stream` decides the draw. Empty where the axes leave no room.
std::vector<Params> held_out_sizes(const WorkloadInfo& workload, const Params& tuned,
                                   const std::vector<Params>& all_tuned, const std::vector<Params>& listed,
                                   std::uint64_t stream);

}  // namespace aisp::harness
