// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_variant.h"

#include <algorithm>
#include <vector>

#include "aisp/core/configuration.h"
#include "aisp/device/clock.h"
#include "aisp/device/gpu/gpu_error.h"

namespace aisp::harness {
namespace {

// Room beyond launching for arguments, an occupancy look-up, a library's dispatch. Chosen, not measured: what
// is below it counts as launching, so up to 2 us of work on the host go unseen.
constexpr double kHostSlackNs = 2000;
constexpr double kHostSlack = 1.5;

constexpr double kSlopeNs = 20e3;  ///< that a step of device_over_wall() should take at least
constexpr int kSlopeRepeats = 3;
constexpr double kSlowCallNs = 5e6;  ///< from here on one step shows it: what either clock adds is nothing
constexpr int kQueueRoom = 512;  ///< launches that surely fit behind the gate: a device's queue holds 1024

double launching_ns(const device::GpuOverhead& overhead) {
  return kHostSlack * overhead.launch_ns + kHostSlackNs;
}

double device_side(const device::GpuReading& reading, const device::GpuOverhead& overhead) {
  return std::max(reading.device_ns - overhead.ns, 0.0);
}

/// A call is as slow as the slower of its two sides: a variant that computes on the host keeps the device
/// waiting in earnest, though not behind the gate, where its work is queued before the clock starts.
double slower_side(const device::GpuReading& reading, const device::GpuOverhead& overhead) {
  const double on_device = device_side(reading, overhead);
  return reading.host_ns > launching_ns(overhead) ? std::max(on_device, reading.host_ns) : on_device;
}

/// By the wall clock. Not until the last event: that one is of the timed stream alone, and work on another
/// would be in neither of the two times that are compared.
double until_idle(const device::GpuReading& reading) { return reading.wall_ns + reading.late_ns; }

}  // namespace

Instrument instrument_of(const Workload& workload, const CellSpec& spec, const Params& params,
                         const std::function<void(const std::string&)>& announce) {
  for (const Variant& variant : workload.variants) {
    if (!variant.host_sync) continue;
    announce(variant.name);
    if (!why_unavailable(variant, params)) return Instrument::call;
  }
  if (spec.graph) return Instrument::graph;
  return spec.cache == CacheMode::steady ? Instrument::steady : Instrument::isolated;
}

HostTensors::HostTensors(GpuVariant::Sets sets, bool pinned)
    : sets_(sets), before_(sets.empty() || sets.front()->pinned()) {
  for (const auto& set : sets_) set->set_pinned(pinned);
}

HostTensors::~HostTensors() {
  try {
    for (const auto& set : sets_) set->set_pinned(before_);
  } catch (const device::GpuError&) {  // the device has failed: the next use of it says so
  }
}

GpuVariant::GpuVariant(device::Gpu& gpu, const Variant& variant, const Params& params,
                       device::PinnedTeam& team, Instrument instrument)
    : gpu_(gpu),
      variant_(variant),
      params_(with_fallbacks(params, variant.tunables)),
      team_(team),
      instrument_(instrument) {}

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

void GpuVariant::run(Sets sets, const std::function<void()>& queued) {
  const HostTensors as_declared(sets, variant_.pinned);
  gpu_.timing().run([calls = calls_on(sets), &queued](void* stream) {
    calls(stream);
    if (queued) queued();
  });
}

std::int64_t GpuVariant::repeat(Sets sets, int times, const std::function<bool()>& more) {
  const HostTensors as_declared(sets, variant_.pinned);
  const device::GpuCall once = calls_on(sets);
  std::int64_t calls = 0;
  for (; more(); calls += times) {
    gpu_.timing().run([&](void* stream) {
      for (int i = 0; i < times; ++i) once(stream);
    });
  }
  return calls;
}

Status GpuVariant::calibrate(Sets sets) {
  const HostTensors as_declared(sets, variant_.pinned);
  calibrated_calls_ = sets.size();
  if (instrument_ == Instrument::graph) {
    Result<device::GpuGraph> graph = gpu_.timing().as_graph(calls_on(sets));
    if (!graph) return graph.error();
    overhead_ = graph->overhead;
    launch_graph_ = std::move(graph->launch);
  } else if (instrument_ != Instrument::call) {
    overhead_ = gpu_.timing().overhead(calls_on(sets));
  }
  return Ok{};
}

GpuWindow GpuVariant::time(Sets sets, const std::function<void()>& meanwhile) {
  const HostTensors as_declared(sets, variant_.pinned);
  GpuWindow window{.calls = static_cast<int>(sets.size())};
  if (instrument_ == Instrument::call) {
    window.reading = gpu_.timing().time_call(calls_on(sets));
    window.ns = window.reading.wall_ns;
  } else {
    window.reading = gpu_.timing().time(launch_graph_ ? launch_graph_ : calls_on(sets), meanwhile);
    window.ns = slower_side(window.reading, overhead_);
  }
  return window;
}

std::optional<double> GpuVariant::host_over_launching(const GpuWindow& window) const {
  if (instrument_ == Instrument::call) return std::nullopt;
  const double explained = std::max(launching_ns(overhead_), window.reading.device_ns);
  return window.reading.host_ns / explained;
}

std::optional<double> GpuVariant::device_ns(const GpuWindow& window) const {
  if (instrument_ == Instrument::call) return std::nullopt;
  return device_side(window.reading, overhead_);
}

std::optional<std::uint64_t> GpuVariant::captured(std::optional<int> count) const {
  if (!count || calibrated_calls_ != 1) return std::nullopt;
  return static_cast<std::uint64_t>(*count);
}

std::optional<double> GpuVariant::device_over_wall(Sets sets) {
  if (instrument_ == Instrument::call) return std::nullopt;
  const HostTensors as_declared(sets, variant_.pinned);
  // One call: a steady window of many sets, eight times over, would not fit behind the gate. Graphs do.
  const device::GpuCall once = launch_graph_ ? launch_graph_ : calls_on(sets.first(1));
  const int launches = launch_graph_ ? 1 : overhead_.launches / static_cast<int>(sets.size());
  const auto several = [&](int times) {
    return gpu_.timing().time([&](void* stream) {
      for (int i = 0; i < times; ++i) once(stream);
    });
  };
  // Enough of them that what they add is far more than the wall clock's own uncertainty.
  const double single = std::max(several(1).device_ns, 1.0);
  const int most = std::max(1, kQueueRoom / std::max(1, launches) / 8);
  const int unit = std::clamp(static_cast<int>(kSlopeNs / single), 1, most);
  const bool slow = single > kSlowCallNs;
  std::vector<int> steps = slow ? std::vector{1, 2} : std::vector{1, 2, 4, 8};
  std::erase_if(steps, [&](int times) { return times * unit * launches > 2 * kQueueRoom - 24; });
  if (steps.size() < 2) return std::nullopt;
  double sum_w = 0, sum_d = 0, sum_ww = 0, sum_wd = 0;
  for (const int times : steps) {
    device::GpuReading best = several(times * unit);
    for (int again = slow ? kSlopeRepeats : 1; again < kSlopeRepeats; ++again) {
      const device::GpuReading next = several(times * unit);
      if (until_idle(next) < until_idle(best)) best = next;
    }
    const double wall = until_idle(best);
    sum_w += wall;
    sum_d += best.device_ns;
    sum_ww += wall * wall;
    sum_wd += wall * best.device_ns;
  }
  const auto count = static_cast<double>(steps.size());
  const double spread = sum_ww - sum_w * sum_w / count;
  return spread > 0 ? (sum_wd - sum_w * sum_d / count) / spread : 0;
}

}  // namespace aisp::harness
