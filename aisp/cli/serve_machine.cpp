// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <mutex>

#include "aisp/cli/documents.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/store/feed.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::Response;

/// What the machine says about itself, looked up anew when it is this old: asking a GPU starts a worker.
constexpr std::chrono::seconds kFresh{10};

class MachineFacts {
 public:
  Json get() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (facts_.is_null() || now - looked_ > kFresh) {
      const std::vector<probes::Advice> findings = examine_machine();
      facts_ = {{"hardware", printable_utf8(device::hardware_key())},
                {"parts", hardware_parts_json()},
                {"findings", findings_json(findings)}};
      looked_ = now;
    }
    return facts_;
  }

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point looked_;
  Json facts_;
};

Response show_machine(Served& served, MachineFacts& facts) {
  Json json = facts.get();
  json["ceilings"] = Json::array();
  return served.store.with([&](store::Store* store) {
    std::vector<std::string> names{device::hardware_key()};
    if (store != nullptr) {
      const auto others = store::hardware_with_results(*store);
      if (!others) return server::refusal(others.error());
      for (const std::string& name : *others)
        if (name != names.front()) names.push_back(name);
      for (const std::string& name : names) {
        const auto ceilings = store->latest_ceilings(name);
        if (!ceilings) return server::refusal(ceilings.error());
        if (ceilings->has_value()) json["ceilings"].push_back(to_json(**ceilings));
      }
    }
    return Response{.body = json_document("machine", json)};
  });
}

}  // namespace

void add_machine_routes(Served& served, Routes& routes) {
  routes.push_back(
      {.method = "GET",
       .path = "/api/v1/machine",
       .summary = "This machine: what it is made of, what would disturb a measurement, its ceilings",
       .schema = "aisp.machine",
       .properties =
           {{"hardware", "string"}, {"parts", "object"}, {"findings", "array"}, {"ceilings", "array"}},
       .answer = [&served, facts = std::make_shared<MachineFacts>()](const Asked&) {
         return show_machine(served, *facts);
       }});
}

}  // namespace aisp::cli
