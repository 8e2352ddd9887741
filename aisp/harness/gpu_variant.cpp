// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_variant.h"

#include <algorithm>

#include "aisp/device/clock.h"

namespace aisp::harness {
namespace {

// Room beyond launching for arguments, an occupancy look-up, a library's dispatch. Chosen, not measured: what
// is below it counts as launching, so up to 2 us of work on the host go unseen.
constexpr double kHostSlackNs = 2000;
constexpr double kHostSlack = 1.5;

/// A call is as slow as the slower of its two sides: a variant that computes on the host keeps the device
/// waiting in earnest, though not behind the gate, where its work is queued before the clock starts.
double slower_side(const device::GpuReading& reading, const device::GpuOverhead& overhead) {
  const double on_device = std::max(reading.device_ns - overhead.ns, 0.0);
  const double launching = kHostSlack * overhead.launch_ns + kHostSlackNs;
  return reading.host_ns > launching ? std::max(on_device, reading.host_ns) : on_device;
}

}  // namespace

GpuVariant::GpuVariant(device::Gpu& gpu, const Variant& variant, const Params& params,
                       device::PinnedTeam& team)
    : gpu_(gpu), variant_(variant), params_(params), team_(team) {}

double GpuVariant::prepare() {
  if (!variant_.prepare) return 0;
  const auto& clock = device::Clock::instance();
  const double start = clock.now_ns();
  plan_ = variant_.prepare({params_, 1, ""});
  return clock.now_ns() - start;
}

device::GpuCall GpuVariant::calls_on(Sets sets) {
  metrics_.clear();
  return [this, sets](void* stream) {
    const auto& function = std::get<CallFunction>(variant_.run.code);
    for (const auto& set : sets) {
      function(Call({.params = &params_,
                     .inputs = set->inputs(),
                     .outputs = set->outputs(),
                     .plan = plan_.get(),
                     .team = &team_,
                     .metrics = &metrics_,
                     .stream = stream}));
    }
  };
}

void GpuVariant::run(Sets sets) { gpu_.timing().run(calls_on(sets)); }

void GpuVariant::calibrate(Sets sets) {
  if (!variant_.host_sync) overhead_ = gpu_.timing().overhead(calls_on(sets));
}

GpuWindow GpuVariant::time(Sets sets) {
  GpuWindow window{.calls = static_cast<int>(sets.size())};
  if (variant_.host_sync) {
    window.reading = gpu_.timing().time_call(calls_on(sets));
    window.ns = window.reading.wall_ns;
  } else {
    window.reading = gpu_.timing().time(calls_on(sets));
    window.ns = slower_side(window.reading, overhead_);
  }
  return window;
}

}  // namespace aisp::harness
