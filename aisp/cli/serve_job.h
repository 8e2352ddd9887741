// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run asked for over HTTP: its words, and the document that tells of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/server/job.h"

namespace aisp::cli {

/// {"targets": ["ch07"], "suite": "quick"} to {"run", "--suite=quick", "ch07"}: checked as flags are, and
/// planned, so that a run that cannot begin is not begun.
Result<std::vector<std::string>> run_words(const Arguments& serving, const std::string& body);

std::string job_document(const std::optional<server::Job>& job, bool allowed, int indent = 2);

}  // namespace aisp::cli
