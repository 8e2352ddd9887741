// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/documents.h"
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

std::vector<Part> hardware_parts() {
  return {{"CPU", device::topology_facts()}, {"NUMA", probes::numa_facts()},
          {"GPU", probes::gpu_facts()},      {"PCIe", probes::pcie_facts()},
          {"clocks", probes::clock_facts()}, {"limits", probes::limit_facts()}};
}

Json json_of(const std::vector<Part>& parts) {
  Json json = Json::object();
  for (const Part& part : parts) json[part.name] = to_json(part.facts);
  return json;
}

int run_probe_hw(const Arguments& arguments) {
  const std::vector<Part> parts = hardware_parts();
  const std::vector<probes::Advice> findings = probes::examine();
  std::string text;
  for (const Part& part : parts) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", part.name);
    for (const Fact& fact : part.facts)
      text += fmt::format("  {:<34} {}\n", report::visible(fact.name),
                          report::visible(fact.value.value_or("unknown")));
  }
  text += "\nwhat would disturb a measurement\n";
  for (const probes::Advice& advice : findings)
    text += fmt::format("  {:<8} {:<25} {}\n", name_of(advice.status), advice.subject, advice.finding);
  const Json json{{"tool", "probe-hw"}, {"parts", json_of(parts)}, {"findings", findings_json(findings)}};
  return print(arguments.json() ? json_document("probe-hw", json) : text) ? 0
                                                                          : static_cast<int>(ErrorCode::io);
}

}  // namespace

Json hardware_parts_json() { return json_of(hardware_parts()); }

const Command kProbeHw{
    .name = "probe-hw",
    .summary = "What this machine is made of: CPU, NUMA, GPU, PCIe, NVLink, clocks, limits",
    .positional = "",
    .flags = {},
    .details = "aisp utils probe-hw\n\nWhat cannot be established here is shown as unknown.",
    .run = run_probe_hw,
    .group = "utils"};

}  // namespace aisp::cli
