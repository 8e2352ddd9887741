// SPDX-License-Identifier: Apache-2.0
/// \file
/// verify() for a workload on a GPU. Everything is checked twice: the device's reference and comparison,
/// which judge large sizes, must say what the host's say.
#pragma once

#include "aisp/harness/verify.h"

namespace aisp::harness {

Result<Verification> verify_on_gpu(const Workload& workload, const CellSpec& spec, const Problem& problem,
                                   const std::function<void(const std::string&)>& announce);

}  // namespace aisp::harness
