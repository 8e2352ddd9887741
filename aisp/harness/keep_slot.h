// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the sample of a slot belongs in a cell's record: to its variant, to the A/A calibration, or to the
/// ceiling measured beside them.
#pragma once

#include <string>

#include "aisp/core/record.h"
#include "aisp/harness/sampler.h"

namespace aisp::harness {

struct SlotPlace {
  int attempt = 0, round = 0, pass = 0;
};

/// `variant`: the slot's name in the record, which may carry the label of its build.
void keep_slot(CellResult& cell, const SlotReport& slot, const std::string& variant, const SlotPlace& place);

}  // namespace aisp::harness
