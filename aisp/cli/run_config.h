// SPDX-License-Identifier: Apache-2.0
/// \file
/// The flags of a run, and the frozen configuration made of them. Shared by the commands that measure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/config.h"
#include "aisp/core/result.h"

namespace aisp::cli {

std::vector<Flag> run_flags();

/// Warns of every value that a --param names twice: its cell is measured once.
void warn_of_repeats(const Arguments& arguments);

Result<RunConfig> run_config_of(const Arguments& arguments);

/// From the root, so that the run can be repeated from anywhere; links stay as they are.
std::string absolute_path(const std::string& path);

/// Of the file's content; nothing when it cannot be read.
std::optional<std::string> file_sha256(const std::string& path);

/// SHA-256 over the configuration and the configuration files as they are on disk now. The programs are
/// hashed by ProgramFiles.
std::string hash_of(const RunConfig& config, const std::vector<std::string>& files);

}  // namespace aisp::cli
