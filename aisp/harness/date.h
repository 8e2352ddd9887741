// SPDX-License-Identifier: Apache-2.0
/// \file
/// The date and time of events, UTC, as ISO 8601. For people and for ordering; never for measuring.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace aisp::harness {

inline std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace aisp::harness
