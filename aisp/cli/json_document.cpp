// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/json_document.h"

#include "aisp/core/check.h"

namespace aisp::cli {

std::string json_document(std::string_view kind, const Json& body, int indent) {
  AISP_CHECK(body.is_object(), "a JSON document of aisp is an object");
  Json json{{"schema", "aisp." + std::string(kind)}, {"schema_version", 1}};
  json.update(body);
  return json.dump(indent) + "\n";
}

}  // namespace aisp::cli
