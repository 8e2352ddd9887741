// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opens the store the user means: --store, AISP_STORE, or the usual place.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"
#include "aisp/store/store.h"

namespace aisp::cli {

/// What --store, AISP_STORE or the usual place name: a file, or the URL of a server's.
Result<std::filesystem::path> store_place(const Arguments& arguments);

/// Before commands are started from this process: a store on a server reaches them by the variable
/// AISP_STORE, because a command line would show its password to everybody.
void pass_server_on(const Arguments& arguments);

/// Says on stderr that an older store's figures are being derived, when that takes more than a second. For
/// the time of one opening; `arguments` must outlive it. `now` is for tests.
store::CatchingUp catching_up(
    const Arguments& arguments, const std::string& store,
    std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now);

/// What a store is opened for. Only results to come may create one: a name that was mistyped must not look
/// like a store without results.
enum class Purpose {
  results,
  what_is_there,
  free_space,  ///< of what is there, however little is free
};
Result<store::Store> open_store(const Arguments& arguments, store::Access access,
                                Purpose purpose = Purpose::results);

/// For reading; nothing where there is none yet.
Result<std::optional<store::Store>> open_store_if_any(const Arguments& arguments);

/// Empty where there is a store to show; else what is missing and how to make it. An Error where --store
/// named it on the command line: a name that was mistyped must not look like a store without results. One
/// that a variable, a file or nobody names is the user's own place and may be filled later.
Result<std::string> missing_store(const Arguments& arguments);

}  // namespace aisp::cli
