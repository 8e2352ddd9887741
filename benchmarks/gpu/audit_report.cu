// SPDX-License-Identifier: Apache-2.0
// What the audit's instruments see on a device: records of what ran, hardware counters, sensors, memory, and
// what recording costs. Prints facts, judges nothing.
// usage: audit_report streams|kinds|counters|sensors|cost
// One part a process: what CUPTI does to a process outlasts the part that used it.
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include "benchmarks/gpu/audit_parts.h"

int main(int argc, char** argv) {
  using namespace aisp::benchmarks;
  static constexpr std::pair<std::string_view, void (*)()> kParts[] = {{"streams", report_streams},
                                                                       {"kinds", report_kinds},
                                                                       {"counters", report_counters},
                                                                       {"sensors", report_sensors},
                                                                       {"cost", report_cost}};
  try {
    for (const auto& [name, report] : kParts) {
      if (argc == 2 && name == argv[1]) return report(), 0;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "audit_report: %s\n", error.what());
    return 4;
  }
  std::fprintf(stderr, "usage: audit_report streams|kinds|counters|sensors|cost\n");
  return 2;
}
