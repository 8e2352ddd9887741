// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/protective_headers.h"

#include <algorithm>

namespace aisp::server {
namespace {

/// No script but the dashboard's own, and no style in the page, no other host.
constexpr const char* kContentPolicy =
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'";

}  // namespace

void add_protective_headers(Response& response) {
  Fields& headers = response.headers;
  headers.emplace_back("Content-Security-Policy", kContentPolicy);
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  headers.emplace_back("X-Frame-Options", "DENY");
  headers.emplace_back("Referrer-Policy", "no-referrer");
  headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  const bool said = std::ranges::find(headers, "Cache-Control", &Fields::value_type::first) != headers.end();
  const bool asked_again = response.status == 200 && !response.events;
  if (!said) headers.emplace_back("Cache-Control", asked_again ? "private, no-cache" : "no-store");
}

}  // namespace aisp::server
