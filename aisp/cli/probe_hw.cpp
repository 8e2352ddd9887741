// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/probes/doctor.h"
#include "aisp/probes/hardware_facts.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

struct Part {
  const char* name;
  std::vector<Fact> facts;
};

int run(const Arguments& arguments) {
  const std::vector<Part> parts{{"CPU", device::topology_facts()}, {"NUMA", probes::numa_facts()},
                                {"GPU", probes::gpu_facts()},      {"PCIe", probes::pcie_facts()},
                                {"clocks", probes::clock_facts()}, {"limits", probes::limit_facts()}};
  std::string text;
  Json json{{"tool", "probe-hw"}, {"parts", Json::object()}, {"findings", Json::array()}};
  for (const Part& part : parts) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", part.name);
    for (const Fact& fact : part.facts)
      text += fmt::format("  {:<34} {}\n", report::visible(fact.name),
                          report::visible(fact.value.value_or("unknown")));
    json["parts"][part.name] = to_json(part.facts);
  }
  text += "\nwhat would disturb a measurement\n";
  for (const probes::Advice& advice : probes::examine()) {
    text += fmt::format("  {:<8} {:<25} {}\n", name_of(advice.status), advice.subject, advice.finding);
    json["findings"].push_back({{"subject", advice.subject},
                                {"status", std::string(name_of(advice.status))},
                                {"finding", advice.finding},
                                {"action", advice.action}});
  }
  return print(arguments.json() ? json_document("probe-hw", json) : text) ? 0
                                                                          : static_cast<int>(ErrorCode::io);
}

}  // namespace

const Command kProbeHw{
    .name = "probe-hw",
    .summary = "What this machine is made of: CPU, NUMA, GPU, PCIe, NVLink, clocks, limits",
    .positional = "",
    .flags = {},
    .details = "aisp utils probe-hw\n\nWhat cannot be established here is shown as unknown.",
    .run = run,
    .group = "utils"};

}  // namespace aisp::cli
