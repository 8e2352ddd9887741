// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows in and out of the events table: appending one to the chain, and reading one back.
///
///   Transaction transaction(database);
///   append(database, event);        // false: it is there already
///   transaction.commit();           // only now is it saved
///
/// Does not judge what it reads: see chain.h.
#pragma once

#include <cstdint>
#include <string>

#include "aisp/store/database.h"
#include "aisp/store/event.h"

namespace aisp::store {

/// Columns in the order read_row() expects, for use in SELECT.
#define AISP_EVENT_COLUMNS                                                                               \
  "seq, id, run, kind, workload, parameters, device, hardware, validity, created, nonce, payload_hash, " \
  "hash, payload"

struct Row {
  std::int64_t seq = 0;
  Event event;
  std::string hash;
  bool well_typed = true;  ///< every column holds text, as this program writes it
};

Row read_row(const Statement& statement);

struct ChainHead {
  std::int64_t seq = 0;
  std::string hash;
};
ChainHead chain_head(const Database& database);

/// Inside a transaction of the caller. False when an event with this id is stored already.
bool append(const Database& database, const Event& event);

}  // namespace aisp::store
