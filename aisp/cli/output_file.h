// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes a rendered text where the user wants it: to a file, completely or not at all, or to stdout.
#pragma once

#include <string>

#include "aisp/core/result.h"

namespace aisp::cli {

/// An empty path or "-" is stdout. A file is written beside its place and renamed, so that a full disk never
/// leaves half a report under the final name.
Status write_output(const std::string& path, const std::string& text);

}  // namespace aisp::cli
