// SPDX-License-Identifier: Apache-2.0
/// \file
/// What Prometheus may ask: requests and how long they took, by route and status. Thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace aisp::server {

/// A value of now, with its help: {"aisp_store_runs", "stored runs", 12}.
struct Gauge {
  std::string name, help;
  double value = 0;
};

class Metrics {
 public:
  /// `route` is a pattern of the table, never what was asked for: the number of lines is bounded.
  void count(const std::string& route, int status, std::chrono::nanoseconds took);
  /// The text format, version 0.0.4.
  std::string text(const std::vector<Gauge>& gauges) const;

 private:
  static constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1> within{};
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Times> times_;
};

}  // namespace aisp::server
