// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counters of the GPU that is made of threads: what its cache was asked for, and what it did not have.
#pragma once

#include "aisp/device/gpu/counters.h"

namespace aisp::harness {

class FakeCounters : public device::CounterReader {
 public:
  std::optional<std::string> open(const std::vector<device::CounterGroup>& groups) override;
  device::Counters measure(const std::function<void()>& call,
                           const std::function<void()>& before_pass) override;
};

}  // namespace aisp::harness
