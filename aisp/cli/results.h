// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opens the store the user means: --store, AISP_STORE, or the usual place.
#pragma once

#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

Result<store::Store> open_store(const Arguments& arguments, store::Access access);

}  // namespace aisp::cli
