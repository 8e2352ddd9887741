// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands there are; each is defined in the file of its name.
#pragma once

#include "aisp/cli/command.h"

namespace aisp::cli {

extern const Command kList, kRun, kWorker, kHelp, kVersion, kCompletions, kMan;

}  // namespace aisp::cli
