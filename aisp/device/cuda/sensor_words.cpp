// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/sensor_words.h"

#include <iterator>
#include <utility>

namespace aisp::cuda {

std::vector<std::string> throttle_words(unsigned long long reasons) {
  static constexpr std::pair<unsigned long long, const char*> kReasons[] = {
      {0x001, "idle"},
      {0x002, "application clocks"},
      {0x004, "power cap"},
      {0x008, "hardware slowdown"},
      {0x010, "sync boost"},
      {0x020, "software thermal slowdown"},
      {0x040, "hardware thermal slowdown"},
      {0x080, "hardware power brake"},
      {0x100, "display clocks"},
  };
  std::vector<std::string> words;
  for (const auto& [bit, word] : kReasons) {
    if ((reasons & bit) != 0) words.emplace_back(word);
    reasons &= ~bit;
  }
  if (reasons != 0) words.push_back("reason " + std::to_string(reasons));
  return words;
}

std::optional<std::string> compute_mode_word(std::optional<int> mode) {
  static constexpr const char* kModes[] = {"default", "exclusive thread", "prohibited", "exclusive process"};
  if (!mode || *mode < 0 || *mode >= static_cast<int>(std::size(kModes))) return std::nullopt;
  return kModes[*mode];
}

}  // namespace aisp::cuda
