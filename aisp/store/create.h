// SPDX-License-Identifier: Apache-2.0
/// \file
/// A new store: built complete under a temporary name, then given its own in one step. Nobody ever sees a
/// store without its tables, so an empty file at the path is damage, not a beginning.
///
///   DirectoryLock lock(file.parent_path());
///   create_store(file, [](const Database&) {});
///
/// Not called for a store that exists.
#pragma once

#include <filesystem>
#include <functional>

#include "aisp/store/database.h"

namespace aisp::store {

/// `fill` may insert rows before the store becomes visible. The caller holds the DirectoryLock. A store that
/// another process created meanwhile is left alone.
void create_store(const std::filesystem::path& file, const std::function<void(const Database&)>& fill);

}  // namespace aisp::store
