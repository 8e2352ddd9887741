// SPDX-License-Identifier: Apache-2.0
// Answers to `utils --tool NAME`, as older tools spelt them. There is one tool: what this machine is made of
// and what on it would disturb a measurement.
#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/probes/doctor.h"

namespace aisp::cli {
namespace {

int probe_hardware(const Arguments& arguments) {
  const std::vector<Fact> facts = device::topology_facts();
  const std::vector<probes::Advice> advice = probes::examine();
  std::string text;
  Json json{{"tool", "probe-hw"}, {"facts", to_json(facts)}, {"findings", Json::array()}};
  for (const Fact& fact : facts)
    text += fmt::format("{:<31} {}\n", fact.name, fact.value.value_or("unknown"));
  for (const probes::Advice& a : advice) {
    text += fmt::format("{:<8} {:<22} {}\n", name_of(a.status), a.subject, a.finding);
    json["findings"].push_back({{"subject", a.subject},
                                {"status", std::string(name_of(a.status))},
                                {"finding", a.finding},
                                {"action", a.action}});
  }
  return print(arguments.json() ? json_document("utils", json) : text) ? 0 : static_cast<int>(ErrorCode::io);
}

int run(const Arguments& arguments) {
  std::string tool = arguments.text("tool");
  if (tool.empty() && !arguments.positional.empty()) tool = arguments.positional.front();
  if (tool == "probe-hw") return probe_hardware(arguments);
  const std::string there = "there is probe-hw: `aisp utils probe-hw`";
  if (tool.empty()) return fail(arguments, {ErrorCode::usage, "name a tool", there});
  for (const char* missing : {"kv-cache", "cost-per-token", "cluster-size"}) {
    if (tool == missing)
      return fail(arguments,
                  {ErrorCode::usage, "the tool '" + tool + "' is not part of this version", there});
  }
  return fail(arguments, {ErrorCode::usage, "there is no tool '" + tool + "'", there});
}

}  // namespace

const Command kUtils{.name = "utils",
                     .summary = "Shows what this machine is made of (probe-hw)",
                     .positional = "[TOOL...]",
                     .flags = {{.name = "tool",
                                .kind = FlagKind::text,
                                .help = "the tool, as older tools spell it",
                                .value = "TOOL"}},
                     .details = "aisp utils probe-hw\naisp utils --tool probe-hw",
                     .run = run};

}  // namespace aisp::cli
