// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

/// Of reasons with commas between, those that speak of power.
std::string for_power(std::string_view reasons) {
  std::string words;
  for (std::size_t at = 0; at < reasons.size();) {
    const std::size_t end = std::min(reasons.find(", ", at), reasons.size());
    const std::string_view word = reasons.substr(at, end - at);
    if (word.find("power") != std::string_view::npos)
      words += (words.empty() ? "" : ", ") + std::string(word);
    at = end + 2;
  }
  return words;
}

/// Where power held back this variant and the baseline alike, or nobody knows the baseline's: nothing.
std::string unlike_power(const DeviceEvidence& device) {
  const std::string own = for_power(*device.throttle_reasons);
  const std::string baselines = for_power(device.baseline_throttle_reasons.value_or(own));
  if (own == baselines) return "";
  return "was held back by " + (own.empty() ? "nothing" : own) + ", the baseline's by " +
         (baselines.empty() ? "nothing" : baselines);
}

Finding device_clocks_alike_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const DeviceEvidence& device = evidence.accelerator;
  if (!device.throttle_reasons || !device.clock_change) {
    return unknown("the device's clocks are not known", "NVML tells, where it is installed");
  }
  if (device.throttle_reasons->find("thermal") != std::string::npos ||
      device.throttle_reasons->find("hardware") != std::string::npos) {
    return reject("the device held itself back: " + *device.throttle_reasons,
                  "cool it, or leave more time between runs");
  }
  const std::string power = unlike_power(device);
  const bool differs = !(*device.clock_change <= kLargestClockChange);
  if (differs || !power.empty()) {
    const std::string by = differs ? "differed from the baseline's by " + percent(*device.clock_change) : "";
    return note("its clock " + by + (differs && !power.empty() ? " and " : "") + power,
                "heavier work draws more power and lowers the clock: that is its cost, but not its code's");
  }
  return pass("clocks as for the baseline" +
              (device.throttle_reasons->empty() ? "" : ", held back by " + *device.throttle_reasons));
}

}  // namespace

constexpr Guard device_clocks_alike{
    .id = "device_clocks_alike",
    .question = "Did all variants run at the same clocks, unhampered by heat?",
    .issues = {69, 74},
    .required_from = Policy::standard,
    .judge = device_clocks_alike_finding,
};

}  // namespace aisp::guards
