// SPDX-License-Identifier: Apache-2.0
/// \file
/// A request as it was understood and the response to it, without a socket: what the rest of the server is
/// made of and what tests are written in.
///
///   Response response = service.answer({.method = "GET", .target = "/api/v1/runs?limit=2",
///                                       .headers = {{"host", "localhost:8100"}}});
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aisp/core/result.h"

namespace aisp::server {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  std::string target;  ///< as it was sent: "/api/v1/runs?limit=2"
  Fields headers;      ///< names in lower case, in the order they came
  std::string body = {};
  bool keep_alive = true;

  /// The first of that name, in lower case; nullptr where there is none.
  const std::string* header(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  Fields headers = {};     ///< besides those that every response has
  bool events = false;     ///< the body does not end: server-sent events follow it
  bool lasts = true;       ///< false: what it says may change although nothing is added to the store
  std::string after = {};  ///< of events: the one behind which to begin; empty = with the next
};

inline constexpr const char* kText = "text/plain; charset=utf-8";

/// {"error": ..., "hint": ...}
Response refusal(int status, std::string_view error, std::string_view hint = {});
/// The status that fits the error's kind: what the caller got wrong is 400, what this program did is 500. In
/// words of the API (api_words.h).
Response refusal(const Error& error);

/// "Not Found"
std::string_view reason_of(int status);

}  // namespace aisp::server
