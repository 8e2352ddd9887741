// SPDX-License-Identifier: Apache-2.0
/// \file
/// A route declared as data. One table of them dispatches requests and becomes the OpenAPI description, so
/// that neither can say what the other does not.
///
///   {.method = "GET", .path = "/api/v1/runs/{id}/cells/{n}", .summary = "One cell of a run", .answer = ...}
///
/// "{id...}" takes all of the rest, slashes included.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "aisp/server/message.h"

namespace aisp::server {

struct Parameter {
  enum class Kind { text, toggle, integer, real, choice };
  std::string name;
  Kind kind = Kind::text;
  std::string help;
  bool repeats = false;
  bool required = false;
  std::string fallback = {};
  double low = 0, high = 0;  ///< of integer and real
  std::vector<std::string> choices = {};
};

/// A member of a document: {"next", "string", Property::Absence::null}.
struct Property {
  enum class Absence { never, null, missing };  ///< how it looks where there is nothing to tell
  std::string name;
  std::string type;  ///< as JSON Schema names it: "array", "integer"
  Absence absent = Absence::never;
};

/// A request that has found its route.
struct Asked {
  const Request& request;
  std::map<std::string, std::string> path;                 ///< by the names in braces
  std::map<std::string, std::vector<std::string>> values;  ///< of the query, by name; only declared ones

  /// The last given; empty where none was.
  std::string text(const std::string& name) const;
};

struct Route {
  std::string method;
  std::string path;
  std::string summary;
  std::vector<Parameter> parameters = {};
  std::string schema = {};                ///< of the document: "aisp.runs"; empty: none of ours
  std::vector<Property> properties = {};  ///< of the document, beside `schema` and `schema_version`
  std::vector<Parameter> body = {};       ///< members of the JSON object that a change takes; none: no body
  std::function<Response(const Asked&)> answer;
  /// Depends on the store and the request alone: may be answered again from memory, unless the answer says
  /// that it does not last.
  bool kept = false;
  std::vector<std::string> aliases = {};  ///< other paths of the same
};

}  // namespace aisp::server
