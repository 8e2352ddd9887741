// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Neither way is a fault. But a grid that waits for all of its blocks needs every multiprocessor, and what
// the device launches need not show in records: whoever reads the row must know.
Finding launches_as_declared_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  if (device.cooperative_launches.value_or(0) > 0 && !device.declares_cooperative.value_or(false)) {
    return reject(count(*device.cooperative_launches) + " cooperative launches in a window",
                  "declare .cooperative = true for the variant");
  }
  if (device.device_launches.value_or(0) > 0 && !device.declares_device_launches.value_or(false)) {
    return reject(count(*device.device_launches) + " kernels in a window launch from the device, or can",
                  "declare .launches_from_device = true for the variant");
  }
  if (!device.cooperative_launches || !device.device_launches) {
    return unknown("how work was launched was not recorded",
                   "the run's notes say why; activity records need CUPTI and the right to use it");
  }
  std::string ways;
  if (*device.cooperative_launches > 0) ways += ", " + count(*device.cooperative_launches) + " cooperative";
  if (*device.device_launches > 0) ways += ", " + count(*device.device_launches) + " by the device";
  return pass(ways.empty() ? "launched by the host, one by one" : "launches as declared: " + ways.substr(2));
}

}  // namespace

constexpr Guard launches_as_declared{
    .id = "launches_as_declared",
    .question = "Was work launched only in the ways the variant declares?",
    .issues = {50, 51},
    .required_from = Policy::standard,
    .judge = launches_as_declared_finding,
};

}  // namespace aisp::guards
