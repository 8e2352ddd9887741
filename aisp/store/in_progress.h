// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether somebody measures a run right now: on this machine (run_lock.h), or on another that shares the
/// server the store is on.
///
///   if (!ended && is_in_progress(database, run)) status = kRunning;
///
/// A run without its end was killed, or goes on: only its holder tells which. A file that two machines share
/// over a network shows the holder to the machine that measures alone.
#pragma once

#include <string>

#include "aisp/store/database.h"

namespace aisp::store {

inline constexpr const char* kRunning = "running";  ///< the status of such a run, and of its open cell
inline constexpr const char* kInterrupted = "interrupted";  ///< of one that nobody will end any more

bool is_in_progress(const Database& database, const std::string& run);

}  // namespace aisp::store
