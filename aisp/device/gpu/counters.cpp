// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/counters.h"

namespace aisp::device {

std::vector<std::pair<std::string, double>> named(const Counters& counters) {
  std::vector<std::pair<std::string, double>> all;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) all.emplace_back(name, *value);
  };
  add("dram_read_bytes", counters.dram_read_bytes);
  add("dram_write_bytes", counters.dram_write_bytes);
  add("l2_hit_rate", counters.l2_hit_rate);
  add("load_sectors_per_request", counters.load_sectors_per_request);
  add("store_sectors_per_request", counters.store_sectors_per_request);
  add("occupancy", counters.occupancy);
  add("instructions", counters.instructions);
  add("tensor_instructions", counters.tensor_instructions);
  for (const Stall& stall : counters.stalls) all.emplace_back("stall: " + stall.reason, stall.share);
  return all;
}

}  // namespace aisp::device
