// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/service.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>

#include "aisp/server/assets.h"
#include "aisp/server/openapi.h"
#include "aisp/server/protective_headers.h"
#include "aisp/wire/hash.h"

namespace aisp::server {
namespace {

/// Whether "\"a\", W/\"b\"" or "*" names the tag. A weak one will do: nothing is asked for in parts.
bool names_tag(std::string_view list, const std::string& tag) {
  return list == "*" || list.find(tag) != std::string_view::npos;
}

/// Of its body; one that was kept has it already.
std::string tag_of(Response& response) {
  const auto known = std::ranges::find(response.headers, "ETag", &Fields::value_type::first);
  if (known != response.headers.end()) return known->second;
  std::string tag = "\"" + sha256_hex(response.body).substr(0, 32) + "\"";
  response.headers.emplace_back("ETag", tag);
  return tag;
}

void add_tag(const Request& request, Response& response) {
  if (response.status != 200 || response.events || changes_something(request.method)) return;
  const std::string tag = tag_of(response);
  const std::string* known = request.header("if-none-match");
  if (known == nullptr || !names_tag(*known, tag)) return;
  response.status = 304;
  response.body.clear();
}

}  // namespace

Service::Service(ServiceOptions options)
    : options_(std::move(options)), gate_(options_.token), router_(with_own(std::move(options_.routes))) {}

/// What the server says about itself.
std::vector<Route> Service::with_own(std::vector<Route> routes) {
  routes.push_back({.method = "GET",
                    .path = "/api/v1/openapi.json",
                    .summary = "This description",
                    .answer = [this](const Asked&) {
                      return Response{.body = openapi(router_.routes(), options_.program_version)};
                    }});
  routes.push_back({.method = "GET",
                    .path = "/metrics",
                    .summary = "Requests, latencies and counts, for Prometheus",
                    .answer = [this](const Asked&) {
                      return Response{.type = "text/plain; version=0.0.4; charset=utf-8",
                                      .body = metrics_.text(options_.gauges()),
                                      .headers = {{"Cache-Control", "no-store"}}};
                    }});
  return routes;
}

Response Service::answer_route(const Router::Found& found) {
  const Route& route = *found.route;
  if (!route.kept) return route.answer(found.asked);
  const std::string version = options_.version();
  const std::string& target = found.asked.request.target;
  if (const auto kept = kept_.find(target, version)) return *kept;
  const KeptAnswers::Turn turn = kept_.turn(target);
  if (const auto kept = kept_.find(target, version)) return *kept;
  const auto begun = std::chrono::steady_clock::now();
  Response response = route.answer(found.asked);
  if (response.status != 200 || !response.lasts) return response;
  tag_of(response);
  const auto took = std::chrono::steady_clock::now() - begun;
  kept_.keep(target, version, std::make_shared<const Response>(response), took);
  return response;
}

Service::Answered Service::route(const Request& request) {
  if (std::optional<Response> no = gate_.refuse(request)) return {*std::move(no), "refused"};
  const Result<Target> target = parse_target(request.target);
  if (!target) return {refusal(target.error()), "refused"};
  const auto& segments = target->segments;
  const bool data = !segments.empty() && (segments.front() == "api" || segments.front() == "metrics");
  if (!data && !changes_something(request.method))
    return {asset(options_.files, path_of(*target), request), "files"};
  auto found = router_.find(request, *target);
  if (auto* no = std::get_if<Response>(&found)) return {std::move(*no), "refused"};
  const auto& match = std::get<Router::Found>(found);
  return {answer_route(match), match.route->path};
}

Response Service::answer_or_throw(const Request& request, Clock::time_point begun) {
  Answered answered = route(request);
  add_tag(request, answered.response);
  add_protective_headers(answered.response);
  metrics_.count(answered.route, answered.response.status, Clock::now() - begun);
  return std::move(answered.response);
}

Response Service::failed(Response refused, Clock::time_point begun) {
  add_protective_headers(refused);
  metrics_.count("failed", refused.status, Clock::now() - begun);
  return refused;
}

/// One request must not end the server; whoever asked is told, and the metrics count it.
Response Service::answer(const Request& request) {
  const Clock::time_point begun = Clock::now();
  try {
    return answer_or_throw(request, begun);
  } catch (const std::bad_alloc&) {
    return failed(refusal(503, "this server is out of memory", "try again, or ask for less"), begun);
  } catch (const std::exception& error) {
    return failed(refusal(500, std::string("internal error: ") + error.what(), "please report it"), begun);
  }
}

}  // namespace aisp::server
