// SPDX-License-Identifier: Apache-2.0
/// \file
/// Server-sent events: what happened, and how it goes over the wire.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aisp::server {

struct Event {
  std::int64_t id = 0;  ///< 0: has none, and is not sent again to who comes back
  std::string kind;
  std::string data;  ///< one line of JSON
};

/// What came behind an event, and the last one there is.
struct News {
  std::vector<Event> events;
  std::int64_t last = 0;
};

std::string event_text(const Event& event);
/// A comment, which keeps the connection open.
inline constexpr const char* kKeepAlive = ": \n\n";

}  // namespace aisp::server
