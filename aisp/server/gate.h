// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may ask. A page of another site can reach a server on this machine through the browser that shows it:
/// its name must not resolve to us (Host), its scripts must not speak for us (Origin), and whoever changes
/// something must know the token.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "aisp/server/message.h"

namespace aisp::server {

class Gate {
 public:
  /// An empty token lets nobody change anything.
  explicit Gate(std::string token) : token_(std::move(token)) {}

  /// Why this request goes no further, or nothing.
  std::optional<Response> refuse(const Request& request);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Response> refuse_change(const Request& request);

  std::string token_;
  std::mutex mutex_;
  int wrong_ = 0;  ///< tokens, since
  Clock::time_point since_ = {};
};

/// After so many wrong tokens in a second the next ones are told to wait. The right one always passes, so
/// that nobody locks its owner out; a token is too long to be guessed at any rate.
inline constexpr int kWrongTokens = 10;

/// Takes as long for every pair of equal length.
bool same_secret(std::string_view a, std::string_view b);

bool changes_something(const std::string& method);

}  // namespace aisp::server
