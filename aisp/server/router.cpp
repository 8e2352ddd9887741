// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/router.h"

#include <algorithm>
#include <optional>
#include <set>

#include "aisp/core/nearest.h"

namespace aisp::server {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 1;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

using Captured = std::map<std::string, std::string>;

std::optional<Captured> match(const std::vector<std::string>& pattern,
                              const std::vector<std::string>& segments) {
  Captured captured;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string& part = pattern[i];
    if (i >= segments.size()) return std::nullopt;
    if (part.ends_with("...}")) {
      std::string rest;
      for (std::size_t k = i; k < segments.size(); ++k) rest += (rest.empty() ? "" : "/") + segments[k];
      captured[part.substr(1, part.size() - 5)] = rest;
      return captured;
    }
    if (part.starts_with('{')) {
      captured[part.substr(1, part.size() - 2)] = segments[i];
    } else if (part != segments[i]) {
      return std::nullopt;
    }
  }
  return pattern.size() == segments.size() ? std::optional(captured) : std::nullopt;
}

Response unknown_parameter(const Route& route, const std::string& name) {
  std::vector<std::string> known;
  std::string all;
  for (const Parameter& parameter : route.parameters) {
    known.push_back(parameter.name);
    all += (all.empty() ? "" : ", ") + parameter.name;
  }
  const auto near = nearest(name, known);
  return refusal(400, "there is no parameter '" + name + "' here",
                 !near.empty() ? "did you mean '" + near.front() + "'?"
                 : all.empty() ? "this takes none"
                               : "there are " + all);
}

std::optional<Response> take_query(const Route& route, const Fields& query, Asked& asked) {
  for (const auto& [name, value] : query) {
    const auto parameter = std::ranges::find(route.parameters, name, &Parameter::name);
    if (parameter == route.parameters.end()) return unknown_parameter(route, name);
    auto& values = asked.values[name];
    if (!values.empty() && !parameter->repeats)
      return refusal(400, "the parameter '" + name + "' is given twice", "give it once");
    if (value.empty()) continue;  // what a form sends for a field that was left open
    values.push_back(value);
  }
  for (const Parameter& parameter : route.parameters) {
    if (parameter.required && asked.values[parameter.name].empty())
      return refusal(400, "the parameter '" + parameter.name + "' is needed", parameter.help);
  }
  std::erase_if(asked.values, [](const auto& entry) { return entry.second.empty(); });
  return std::nullopt;
}

}  // namespace

std::string Asked::text(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() || found->second.empty() ? std::string() : found->second.back();
}

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (const Route& route : routes_) {
    entries_.push_back({&route, split(route.path)});
    for (const std::string& alias : route.aliases) entries_.push_back({&route, split(alias)});
  }
}

std::variant<Router::Found, Response> Router::find(const Request& request, const Target& target) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::set<std::string> allowed;
  for (const Entry& entry : entries_) {
    std::optional<Captured> captured = match(entry.pattern, target.segments);
    if (!captured) continue;
    if (entry.route->method != method) {
      allowed.insert(entry.route->method);
      continue;
    }
    Asked asked{.request = request, .path = *std::move(captured), .values = {}};
    if (std::optional<Response> no = take_query(*entry.route, target.query, asked)) return *std::move(no);
    return Found{entry.route, std::move(asked)};
  }
  if (allowed.empty())
    return refusal(404, "there is no " + path_of(target), "/api/v1/openapi.json lists what there is");
  std::string names;
  for (const std::string& each : allowed) names += (names.empty() ? "" : ", ") + each;
  if (allowed.contains("GET")) names += ", HEAD";
  Response response = refusal(405, request.method + " is not known here", "use " + names);
  response.headers.emplace_back("Allow", names);
  return response;
}

}  // namespace aisp::server
