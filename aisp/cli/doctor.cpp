// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/doctor.h"

#include <algorithm>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"

namespace aisp::cli {
namespace {

int run_doctor(const Arguments& arguments) {
  const std::vector<probes::Advice> advice = examine_machine();
  std::string text;
  for (const probes::Advice& a : advice) {
    text += fmt::format("{:<8} {:<22} {}\n", name_of(a.status), a.subject, a.finding);
    if (!a.action.empty()) text += fmt::format("{:<31} -> {}\n", "", a.action);
  }
  if (!print(arguments.json() ? json_document("doctor", {{"findings", findings_json(advice)}}) : text))
    return static_cast<int>(ErrorCode::io);
  const bool bad = std::ranges::any_of(advice, [](const auto& a) { return a.status == probes::Health::bad; });
  return bad ? kExitUnproven : kExitValid;
}

}  // namespace

std::vector<probes::Advice> examine_machine() {
  std::vector<probes::Advice> advice = probes::examine();
  for (probes::Advice& of_gpu : examine_gpu()) advice.push_back(std::move(of_gpu));
  return advice;
}

Json findings_json(std::span<const probes::Advice> findings) {
  Json list = Json::array();
  for (const probes::Advice& a : findings)
    list.push_back({{"subject", a.subject},
                    {"status", std::string(name_of(a.status))},
                    {"finding", a.finding},
                    {"action", a.action}});
  return list;
}

const Command kDoctor{.name = "doctor",
                      .summary = "Says what on this machine would make results invalid, before the run",
                      .positional = "",
                      .flags = {},
                      .details = "exit code 4 when something would make results invalid",
                      .run = run_doctor};

}  // namespace aisp::cli
