// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the tasks of a launch left in its folder: how each ended, and its part of the results, which goes
/// into the store.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/cli/launch_script.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

struct Gathered {
  std::vector<std::optional<int>> exit_codes;  ///< of each task; nothing where it did not come to its end
  std::vector<std::string> runs;               ///< that came into the store, as far as it is known
  std::vector<Error> problems;                 ///< parts that could not be merged
};

/// Tasks whose exit code is there.
std::size_t ended_tasks(const Launch& launch);

/// Merges every part there is by itself, so that one that is damaged keeps no other out. Waits a little for
/// files that a network file system shows late.
Gathered gather(const Launch& launch, store::Store& into);

}  // namespace aisp::cli
