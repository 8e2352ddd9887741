// SPDX-License-Identifier: Apache-2.0
/// \file
/// One thing that happened, as the store keeps it. An event's id is the SHA-256 of its canonical text, in
/// which the payload appears by its own hash: the event checks itself, is recognised when it arrives twice,
/// and survives the pruning of its payload.
///
///   Event event{.run = id, .kind = std::string(kCellFinished), .payload = json};
///   seal(event);          // fills nonce, created, payload_hash, id
///   AISP_CHECK(is_intact(event), "a sealed event checks itself");
///
/// Not the chain: the order of events is protected by the hash beside each row (append.h, chain.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "aisp/core/fields.h"

namespace aisp::store {

inline constexpr std::string_view kRunStarted = "run_started";
inline constexpr std::string_view kRunFinished = "run_finished";
inline constexpr std::string_view kRunPruned = "run_pruned";
inline constexpr std::string_view kCellStarted = "cell_started";
inline constexpr std::string_view kCellFinished = "cell_finished";
inline constexpr std::string_view kCeilingsMeasured = "ceilings_measured";
inline constexpr std::string_view kTuned = "tuned";
inline constexpr std::string_view kStoreRecovered = "store_recovered";

struct Event {
  std::string id;
  std::string run;  ///< empty for events of the store itself and of the machine
  std::string kind;
  std::string workload, parameters, device, hardware,
      validity;         ///< columns that queries use; empty = not said
  std::string created;  ///< UTC, ISO 8601, microseconds
  std::string nonce;    ///< random: two equal events differ
  std::string payload_hash;
  std::optional<std::string> payload;  ///< JSON text; nothing once pruned
  AISP_FIELDS(id, run, kind, workload, parameters, device, hardware, validity, created, nonce, payload_hash,
              payload)
};

/// Cleans the text to UTF-8 and fills what is derived.
void seal(Event& event);

/// The id belongs to the columns and, where there is one, the payload to its hash.
bool is_intact(const Event& event);

/// The hash of an event in the chain, from the hash before it.
std::string chain_hash(std::string_view previous, std::string_view id);
/// What the first event is chained to.
std::string chain_origin();

std::string utc_now();
/// `bytes` random bytes as hex.
std::string random_hex(int bytes);

}  // namespace aisp::store
