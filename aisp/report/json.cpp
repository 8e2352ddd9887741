// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/json.h"

#include "aisp/wire/json.h"

namespace aisp::report {

std::string render_json(const RunRecord& run) {
  Json json = Json::object();
  json["schema"] = "aisp.run";
  json["schema_version"] = kRunSchemaVersion;
  json.update(to_json(run));
  return json.dump(1) + "\n";
}

}  // namespace aisp::report
