// SPDX-License-Identifier: Apache-2.0
/// \file
/// A store on a server, connected: its tables are made where they are missing and may be made.
///
///   std::unique_ptr<Database> database = open_server(url, Access::read_write, true,
///   std::chrono::seconds(10));
///
/// What follows for every store (damage, journal, figures) is in open.cpp.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "aisp/store/database.h"
#include "aisp/store/store.h"

namespace aisp::store {

/// Throws Failure: no server, no store there and none to `create`, tables of another program, an encoding
/// that loses text.
std::unique_ptr<Database> open_server(const std::string& url, Access access, bool create,
                                      std::chrono::milliseconds busy_timeout);

/// What the server's settings mean for results, in words.
std::vector<std::string> server_warnings(const Database& database);

}  // namespace aisp::store
