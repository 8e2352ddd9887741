// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a server's SQLSTATE means for a store, in the same words and kinds as SQLite's codes.
#pragma once

#include <string>
#include <string_view>

#include "aisp/store/failure.h"

namespace aisp::store {

/// `state` is empty when no server answered. `name` and `detail` hold no password.
Failure postgres_failure(std::string_view state, const std::string& detail, const std::string& name);

}  // namespace aisp::store
