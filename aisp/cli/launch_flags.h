// SPDX-License-Identifier: Apache-2.0
/// \file
/// --launcher of `aisp run` and the flags that go with it.
#pragma once

#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

std::vector<Flag> launch_flags();

/// Whether another launcher than this machine was asked for.
bool is_launched(const Arguments& arguments);

/// Flags that do not go together: those of a launcher without one, and those of a run of this machine with
/// one.
Status check_launch_flags(const Arguments& arguments);

}  // namespace aisp::cli
