// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether results can be written to a store: found out before a run has measured for an hour.
#pragma once

#include "aisp/store/database.h"

namespace aisp::store {

/// A transaction that reaches the disk, through the very path that results will take. Throws Failure: a newer
/// store, a disk that is nearly full (but not `to_free_space`), or whatever the write meets.
void prove_writable(const Database& database, bool to_free_space);

}  // namespace aisp::store
