// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_readings.h"

#include <algorithm>
#include <optional>

namespace aisp::harness {
namespace {

/// What happens in fewer than half of the windows, a look that was interrupted say, moves no figure.
std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

void GpuReadings::look_into(GpuVariant& variant, GpuVariant::Sets sets) {
  seen_.device_over_wall = variant.device_over_wall(sets);
  seen_.captured_kernels = seen_.fewest_captured_kernels = variant.captured_kernels();
  seen_.captured_pieces = variant.captured_pieces();
}

void GpuReadings::note(const GpuVariant& variant, const GpuWindow& window) {
  const device::GpuReading& reading = window.reading;
  seen_.persisting_calls = seen_.persisting_calls.value_or(0) + (reading.persists ? 1 : 0);
  if (const auto share = variant.host_over_launching(window)) host_share_.push_back(*share);
  // Without a gate there is none to give up, and the window lasts until the device is idle.
  if (variant.instrument() != Instrument::call) {
    late_ns_.push_back(reading.late_ns);
    seen_.waited = seen_.waited.value_or(0) + (reading.expired ? 1 : 0);
  }
}

void GpuReadings::record(Evidence& evidence) const {
  evidence.accelerator = seen_;
  evidence.accelerator.late_ns = median_of(late_ns_);
  evidence.accelerator.host_over_launching = median_of(host_share_);
  watch_.record(evidence);
}

}  // namespace aisp::harness
