// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures the two revisions of every suspected regression against each other, as `aisp compare --build`
/// does, where both of their builds are at hand. What comes of it is in the store, like any comparison: a
/// later look at the history finds it there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/history.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// `builds`: programs, plugins, or folders of them. They are known by their content, whatever their names.
/// The exit code of what could not be measured, else 0; every reason is told on stderr.
Result<int> confirm_changes(const Arguments& arguments, std::span<const ExaminedSeries> examined,
                            const std::vector<std::string>& builds);

}  // namespace aisp::cli
