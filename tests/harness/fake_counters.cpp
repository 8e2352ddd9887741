// SPDX-License-Identifier: Apache-2.0
#include "fake_counters.h"

namespace aisp::harness {

std::optional<std::string> FakeCounters::open(const std::vector<device::CounterGroup>& /*groups*/) {
  return "threads have no counters";
}

device::Counters FakeCounters::measure(const std::function<void()>& call,
                                       const std::function<void()>& before_pass) {
  before_pass();
  call();
  return {};
}

}  // namespace aisp::harness
