// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/json.h"

namespace aisp::report {

Json run_document(const RunRecord& run) {
  Json json = Json::object();
  json["schema"] = "aisp.run";
  json["schema_version"] = kRunSchemaVersion;
  json.update(to_json(run));
  return json;
}

std::string render_json(const RunRecord& run) { return run_document(run).dump(1) + "\n"; }

}  // namespace aisp::report
