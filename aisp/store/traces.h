// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a file without SQLite's header was a store once. A photo named by mistake was none and stays where
/// it is; a store whose first page was overwritten is recovered.
#pragma once

#include "aisp/store/sqlite_connection.h"

namespace aisp::store {

/// A log or a journal beside the file, or pages inside it that hold events or their tables.
bool has_traces_of_a_store(const SqliteConnection& file);

}  // namespace aisp::store
