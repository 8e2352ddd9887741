// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of audit_report; each prints what one instrument sees.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace aisp::benchmarks {

void report_streams();
void report_kinds();
void report_counters();
void report_sensors();
void report_cost();

inline double since_ns(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

template <class Number>
std::string shown(const std::optional<Number>& value) {
  return value ? std::to_string(*value) : "unknown";
}

}  // namespace aisp::benchmarks
