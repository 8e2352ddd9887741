// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/json_document.h"

#include <algorithm>
#include <array>
#include <utility>

#include "aisp/core/check.h"

namespace aisp::cli {
namespace {

/// Kinds whose documents a reader of version 1 would misread. What only gained members keeps its version.
constexpr std::array<std::pair<std::string_view, int>, 5> kChanged{{
    {"history", 2},          // a point's `run` is an index into `runs`; commit, programs and method are there
    {"pareto", 2},           // energies are intervals
    {"power", 2},            // so are they here, and watts are the counter's
    {"recommendations", 2},  // room has an interval
    {"tradeoffs", 2},        // and what is paid in energy
}};

}  // namespace

int document_version(std::string_view kind) {
  const auto* const found = std::ranges::find(kChanged, kind, &std::pair<std::string_view, int>::first);
  return found == kChanged.end() ? 1 : found->second;
}

std::string json_document(std::string_view kind, Json body, int indent) {
  AISP_CHECK(body.is_object(), "a JSON document of aisp is an object");
  Json json{{"schema", "aisp." + std::string(kind)}, {"schema_version", document_version(kind)}};
  for (auto& [name, value] : body.get_ref<Json::object_t&>()) json[name] = std::move(value);
  return json.dump(indent) + "\n";
}

}  // namespace aisp::cli
