// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one form of everything that --json prints: an object that says what it is.
///
///   print(json_document("list", {{"workloads", ...}}));
///   // {"schema": "aisp.list", "schema_version": 1, "workloads": ...}
///
/// Include it in .cpp files only, as wire/json.h.
#pragma once

#include <string>
#include <string_view>

#include "aisp/wire/json.h"

namespace aisp::cli {

/// Which version of that kind is written: it grows when a member changes its meaning or goes.
int document_version(std::string_view kind);

/// As text with a line end. `body` is an object; `indent` -1 puts all of it on one line.
std::string json_document(std::string_view kind, Json body, int indent = 2);

}  // namespace aisp::cli
