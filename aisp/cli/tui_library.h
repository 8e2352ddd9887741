// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp tui` shows: the catalogue and the store, by the questions that list, show and compare ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"
#include "aisp/tui/library.h"

namespace aisp::cli {

/// A store that is not there yet may come; one that cannot be read is the error.
Result<std::unique_ptr<tui::Library>> tui_library(const Arguments& arguments);

}  // namespace aisp::cli
