// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/gate.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aisp::server {
namespace {

/// "localhost" of "LocalHost:8100", "[::1]" of "[::1]:8100".
std::string host_name(std::string_view host) {
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : std::string_view::npos;
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view port = colon == std::string_view::npos ? "" : host.substr(colon + 1);
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (port.size() > 5 || !std::ranges::all_of(port, digit)) return "";
  std::string name(host.substr(0, colon));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// Any port: `ssh -L` gives this server another one, and a foreign site cannot have our name.
bool is_this_machine(const std::string& host) {
  static constexpr std::array<std::string_view, 3> kNames{"localhost", "127.0.0.1", "[::1]"};
  return std::ranges::find(kNames, host_name(host)) != kNames.end();
}

}  // namespace

bool changes_something(const std::string& method) { return method != "GET" && method != "HEAD"; }

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differing |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differing == 0;
}

std::optional<Response> Gate::refuse(const Request& request) {
  const std::string* host = request.header("host");
  if (host == nullptr || request.count("host") != 1 || !is_this_machine(*host))
    return refusal(421, "this server answers to localhost, 127.0.0.1 and [::1]",
                   "open it by one of these names");
  const std::string* origin = request.header("origin");
  if (origin != nullptr && *origin != "http://" + *host && *origin != "https://" + *host)
    return refusal(403, "the request comes from a page of another site", "open this server's own page");
  static constexpr std::array<std::string_view, 4> kMethods{"GET", "HEAD", "POST", "DELETE"};
  if (std::ranges::find(kMethods, request.method) == kMethods.end()) {
    Response response = refusal(405, "this server knows GET, HEAD, POST and DELETE");
    response.headers.emplace_back("Allow", "GET, HEAD, POST, DELETE");
    return response;
  }
  return changes_something(request.method) ? refuse_change(request) : std::nullopt;
}

std::optional<Response> Gate::refuse_change(const Request& request) {
  const std::string* site = request.header("sec-fetch-site");
  if (site != nullptr && *site != "same-origin" && *site != "none")
    return refusal(403, "the request comes from a page of another site", "open this server's own page");
  if (token_.empty())
    return refusal(403, "this server changes nothing", "start it with `aisp serve --allow-runs`");
  const std::string* given = request.header("authorization");
  if (given != nullptr && request.count("authorization") == 1 && same_secret(*given, "Bearer " + token_))
    return std::nullopt;  // however many wrong ones others sent
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now - since_ > std::chrono::seconds(1)) {
    since_ = now;
    wrong_ = 0;
  }
  if (wrong_ >= kWrongTokens) {
    Response response = refusal(429, "too many wrong tokens", "wait a second");
    response.headers.emplace_back("Retry-After", "1");
    return response;
  }
  ++wrong_;
  Response response = refusal(401, given == nullptr ? "this needs the token" : "the token is wrong",
                              "send it as `Authorization: Bearer TOKEN`; `aisp serve` says where it is");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace aisp::server
