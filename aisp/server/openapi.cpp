// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/openapi.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "aisp/server/api_words.h"
#include "aisp/server/gate.h"
#include "aisp/wire/json.h"

namespace aisp::server {
namespace {

/// A default is of the type it is the default of.
Json default_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::toggle:
      return parameter.fallback == "true";
    case Parameter::Kind::integer:
      return std::strtoll(parameter.fallback.c_str(), nullptr, 10);
    case Parameter::Kind::real:
      return std::strtod(parameter.fallback.c_str(), nullptr);
    case Parameter::Kind::choice:
    case Parameter::Kind::text:
      break;
  }
  return parameter.fallback;
}

Json schema_of(const Parameter& parameter) {
  Json schema = Json::object();
  switch (parameter.kind) {
    case Parameter::Kind::toggle:
      schema["type"] = "boolean";
      break;
    case Parameter::Kind::integer:
    case Parameter::Kind::real:
      schema["type"] = parameter.kind == Parameter::Kind::integer ? "integer" : "number";
      schema["minimum"] = parameter.low;
      schema["maximum"] = parameter.high;
      break;
    case Parameter::Kind::choice:
      schema = {{"type", "string"}, {"enum", parameter.choices}};
      break;
    case Parameter::Kind::text:
      schema["type"] = "string";
  }
  if (!parameter.fallback.empty()) schema["default"] = default_of(parameter);
  return parameter.repeats ? Json{{"type", "array"}, {"items", schema}} : schema;
}

Json parameters_of(const Route& route) {
  Json all = Json::array();
  for (std::size_t at = route.path.find('{'); at != std::string::npos; at = route.path.find('{', at + 1)) {
    std::string name = route.path.substr(at + 1, route.path.find('}', at) - at - 1);
    if (name.ends_with("...")) name.resize(name.size() - 3);
    all.push_back({{"name", name}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
  }
  for (const Parameter& parameter : route.parameters)
    all.push_back({{"name", parameter.name},
                   {"in", "query"},
                   {"required", parameter.required},
                   {"description", in_api_words(parameter.help)},
                   {"schema", schema_of(parameter)}});
  return all;
}

/// Top level only: what lies deeper is described where it is defined.
Json document_schema(const Route& route) {
  Json properties{{"schema", {{"type", "string"}, {"const", route.schema}}},
                  {"schema_version", {{"type", "integer"}}}};
  Json required{"schema", "schema_version"};
  for (const Property& each : route.properties) {
    using Absence = Property::Absence;
    properties[each.name]["type"] =
        each.absent == Absence::null ? Json::array({each.type, "null"}) : Json(each.type);
    if (each.absent != Absence::missing) required.push_back(each.name);
  }
  return {{"type", "object"}, {"title", route.schema}, {"required", required}, {"properties", properties}};
}

Json body_of(const Route& route) {
  Json properties = Json::object(), required = Json::array();
  for (const Parameter& each : route.body) {
    properties[each.name] = schema_of(each);
    properties[each.name]["description"] = in_api_words(each.help);
    if (each.required) required.push_back(each.name);
  }
  const Json schema{{"type", "object"},
                    {"properties", properties},
                    {"required", required},
                    {"additionalProperties", false}};
  return {{"required", true}, {"content", {{"application/json", {{"schema", schema}}}}}};
}

Json operation_of(const Route& route) {
  const std::string type = route.schema.empty() ? "*/*" : "application/json";
  Json content = Json::object();
  content[type] = {{"schema", document_schema(route)}};
  if (route.schema.empty()) content[type] = Json::object();
  Json operation{
      {"summary", route.summary},
      {"parameters", parameters_of(route)},
      {"responses",
       {{"2XX", {{"description", route.schema.empty() ? route.summary : route.schema}, {"content", content}}},
        {"default", {{"$ref", "#/components/responses/error"}}}}}};
  if (!route.body.empty()) operation["requestBody"] = body_of(route);
  if (changes_something(route.method)) operation["security"] = Json::array({{{"token", Json::array()}}});
  return operation;
}

/// OpenAPI has no name for "the rest of the path".
std::string documented(std::string path) {
  if (const std::size_t dots = path.find("...}"); dots != std::string::npos) path.erase(dots, 3);
  return path;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string openapi(const std::vector<Route>& routes, const std::string& version) {
  Json paths = Json::object();
  for (const Route& route : routes) {
    const Json operation = operation_of(route);
    paths[documented(route.path)][lower(route.method)] = operation;
    for (const std::string& alias : route.aliases) paths[documented(alias)][lower(route.method)] = operation;
  }
  const Json error{{"type", "object"},
                   {"required", {"error", "hint"}},
                   {"properties", {{"error", {{"type", "string"}}}, {"hint", {{"type", "string"}}}}}};
  const Json description{{"openapi", "3.1.0"},
                         {"info", {{"title", "aisp"}, {"version", version}}},
                         {"paths", paths},
                         {"components",
                          {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}},
                           {"responses",
                            {{"error",
                              {{"description", "what is wrong, and what to do"},
                               {"content", {{"application/json", {{"schema", error}}}}}}}}}}}};
  return description.dump(2) + "\n";
}

}  // namespace aisp::server
