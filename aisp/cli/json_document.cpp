// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/json_document.h"

#include "aisp/core/check.h"

namespace aisp::cli {

std::string json_document(std::string_view kind, Json body, int indent) {
  AISP_CHECK(body.is_object(), "a JSON document of aisp is an object");
  Json json{{"schema", "aisp." + std::string(kind)}, {"schema_version", 1}};
  for (auto& [name, value] : body.get_ref<Json::object_t&>()) json[name] = std::move(value);
  return json.dump(indent) + "\n";
}

}  // namespace aisp::cli
