// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether there is a store to read, be it a file or on a server.
///
///   if (const Result<bool> there = is_there(place); there && *there) Store::open(place, Access::read_only);
#pragma once

#include <filesystem>

#include "aisp/core/result.h"

namespace aisp::store {

/// A file at the path, or tables of a store on the server; an Error when the server does not answer.
Result<bool> is_there(const std::filesystem::path& store);

}  // namespace aisp::store
