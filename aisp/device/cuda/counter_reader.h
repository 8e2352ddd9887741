// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the device's counters through CUPTI's range profiler, in this process.
///
/// Where the driver keeps counters to administrators (RmProfilingAdminOnly), open() says so. While it is
/// open, launches cost more: close it, by destroying it, before anything is timed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aisp/device/gpu/counters.h"

namespace aisp::cuda {

class CounterSession;

class CuptiCounters final : public device::CounterReader {
 public:
  CuptiCounters();
  ~CuptiCounters() override;

  std::optional<std::string> open(const std::vector<device::CounterGroup>& groups) override;
  device::Counters measure(const std::function<void()>& call,
                           const std::function<void()>& before_pass = {}) override;

 private:
  std::unique_ptr<CounterSession> session_;
};

}  // namespace aisp::cuda
