// SPDX-License-Identifier: Apache-2.0
/// \file
/// The same without a screen: numbered choices on plain lines, for terminals that can do nothing else, for
/// screen readers and for pipes. Ends with the input.
#pragma once

#include <iosfwd>
#include <string>

#include "aisp/tui/library.h"

namespace aisp::tui {

struct SimpleOptions {
  int width = 80;
  std::string program = "/proc/self/exe";  ///< that measures
};

/// The exit code: 0, or 7 where the output cannot be written.
int run_simple(Library& library, std::istream& in, std::ostream& out, const SimpleOptions& options);

}  // namespace aisp::tui
