// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes a rendered text where the user wants it: to a file, completely or not at all, or to stdout, a pipe
/// or a device.
///
///   if (const Status fine = check_output("r.html", "--report"); !fine) return fail(arguments, fine.error());
///   ...                                                     // what takes long
///   if (const Status wrote = write_output("r.html", html, "--report"); !wrote) return fail(...);
#pragma once

#include <string>

#include "aisp/core/result.h"

namespace aisp::cli {

/// An empty path or "-" is stdout. A regular file, the target of a link too, is written beside its place and
/// renamed, so that a full disk never leaves half a report under the final name. Whatever else is there (a
/// pipe, a device) is written to and never replaced. `flag` is the one the user gave the path with, for
/// hints.
Status write_output(const std::string& path, const std::string& text, const std::string& flag = "--output");

/// Whether write_output() could work, without writing: to be asked before a long measurement.
Status check_output(const std::string& path, const std::string& flag = "--output");

}  // namespace aisp::cli
