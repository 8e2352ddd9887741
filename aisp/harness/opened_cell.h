// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a cell is, whatever device it is sampled on: the part of Opened that follows from its declaration.
#pragma once

#include <string>

#include "aisp/harness/sampler.h"

namespace aisp::harness {

Opened opened_cell(const Workload& workload, const Problem& problem, std::string seed_commitment);

}  // namespace aisp::harness
