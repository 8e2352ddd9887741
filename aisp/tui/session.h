// SPDX-License-Identifier: Apache-2.0
/// \file
/// The interface at work on a terminal: waits for keys, for the run it started, for signals and for news in
/// the store, and shows what became of the state. One thread.
#pragma once

#include <string>

#include "aisp/core/result.h"
#include "aisp/tui/library.h"

namespace aisp::tui {

struct SessionOptions {
  bool colours = true;
  std::string program = "/proc/self/exe";  ///< that measures
};

/// The exit code: 0, or 128 and the signal that ended it. The terminal is as it was before.
Result<int> run_session(Library& library, const SessionOptions& options);

}  // namespace aisp::tui
