// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/json.h"

namespace aisp::report {

Json run_document(const RunRecord& run, bool evidence) {
  Json json = Json::object();
  json["schema"] = "aisp.run";
  json["schema_version"] = kRunSchemaVersion;
  Json fields = evidence ? to_json(run) : to_json<Evidence>(run);
  auto& all = json.get_ref<Json::object_t&>();
  for (auto& [name, value] : fields.get_ref<Json::object_t&>()) all.emplace_back(name, std::move(value));
  return json;
}

std::string render_json(const RunRecord& run) { return run_document(run).dump(1) + "\n"; }

}  // namespace aisp::report
