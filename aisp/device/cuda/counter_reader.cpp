// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/counter_reader.h"

#include "aisp/device/cuda/counter_metrics.h"
#include "aisp/device/cuda/counter_session.h"
#include "aisp/device/gpu/gpu_error.h"

namespace aisp::cuda {

CuptiCounters::CuptiCounters() = default;
CuptiCounters::~CuptiCounters() = default;

std::optional<std::string> CuptiCounters::open(const std::vector<device::CounterGroup>& groups) {
  session_.reset();
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  if (!cupti.reason.empty()) return cupti.reason;
  try {
    session_ = std::make_unique<CounterSession>(metrics_of(groups));
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

device::Counters CuptiCounters::measure(const std::function<void()>& call,
                                        const std::function<void()>& before_pass) {
  if (!session_) throw device::GpuError(device::GpuFault::other, "counters are read without being open");
  try {
    const int passes = session_->collect(call, before_pass);
    device::Counters counters = counters_of(session_->metrics(), session_->values());
    counters.passes = passes;
    return counters;
  } catch (...) {
    session_.reset();  // a pass that was broken off cannot be gone on with
    throw;
  }
}

}  // namespace aisp::cuda
