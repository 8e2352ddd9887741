// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

#include <string>

namespace aisp::guards {
namespace {

// In a virtual machine the fact that matters - what the host did meanwhile - cannot be established. So the
// answer is not "wrong" but "unknown", and only the strict policy insists.
Finding not_virtualised_finding(const Evidence& evidence) {
  const auto& hypervisor = evidence.environment.virtualised;
  const char* hint = "publish from a bare machine, or keep the standard policy, which lists this on the row";
  if (!hypervisor) return unknown("whether this is a virtual machine is not known", hint);
  if (*hypervisor != "none") {
    return unknown("runs under " + (hypervisor->empty() ? std::string("a hypervisor") : *hypervisor) +
                       ": what the host did meanwhile cannot be seen",
                   hint);
  }
  return pass("bare metal");
}

}  // namespace

constexpr Guard not_virtualised{
    .id = "not_virtualised",
    .question = "Does it run on the bare machine?",
    .issues = {79},
    .required_from = Policy::strict,
    .judge = not_virtualised_finding,
};

}  // namespace aisp::guards
