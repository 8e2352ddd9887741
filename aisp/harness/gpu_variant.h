// SPDX-License-Identifier: Apache-2.0
/// \file
/// One variant of a cell on a GPU, ready to be timed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "aisp/core/evidence.h"
#include "aisp/core/workload.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/device/gpu/gpu.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/gpu_tensor_set.h"

namespace aisp::harness {

/// One timed window: a call for each set.
struct GpuWindow {
  double ns = 0;  ///< of the whole window, what belongs to the instrument taken off
  int calls = 0;
  device::GpuReading reading;
};

/// What times all variants of a cell: one that waits for the device can be timed by the host's clock alone,
/// and then the others are too, since a ratio of two figures would count launching for one side only. Also
/// where that one was not asked for: a series of one variant has one figure.
Instrument instrument_of(const Workload& workload, const CellSpec& spec, const Params& params,
                         const std::function<void(const std::string&)>& announce);

class GpuVariant {
 public:
  using Sets = std::span<const std::unique_ptr<GpuTensorSet>>;

  GpuVariant(device::Gpu& gpu, const Variant& variant, const Params& params, device::PinnedTeam& team,
             Instrument instrument);

  /// Builds the plan; returns how long it took. May throw what the variant throws.
  double prepare();
  /// Untimed, until the device is idle; `queued` is told when its calls have returned.
  void run(Sets sets, const std::function<void()>& queued = {});
  /// The same so many times without a pause, and again while there should be more. Returns the calls made.
  std::int64_t repeat(Sets sets, int times, const std::function<bool()>& more);
  /// Learns what the instrument adds to these calls. After a run(): what is called for the first time is
  /// loaded, which no reading should contain. Fails where its calls should be timed as a graph and cannot be
  /// captured.
  Status calibrate(Sets sets);
  /// `meanwhile` is done on the host while the device works; not where the host's clock times the call.
  GpuWindow time(Sets sets, const std::function<void()>& meanwhile = {});
  /// How much longer the host was busy with the window than launching and the device's own work explain.
  /// Nothing where the host's clock times the call: all of it is the host's time.
  std::optional<double> host_over_launching(const GpuWindow& window) const;
  /// Of the window on the device, what belongs to the instrument taken off. Nothing where events did not time
  /// it.
  std::optional<double> device_ns(const GpuWindow& window) const;
  /// What one call makes the device do, by what capturing it shows. Nothing where it could not be looked
  /// into, or was timed together with others.
  std::optional<std::uint64_t> captured_kernels() const { return captured(overhead_.kernels); }
  std::optional<std::uint64_t> captured_pieces() const { return captured(overhead_.pieces); }
  /// Device time against the wall clock until the whole device is idle, from how both grow over 1, 2, 4 and 8
  /// calls: what either adds once falls out. Nothing where the host's clock times the call.
  std::optional<double> device_over_wall(Sets sets);

  const Variant& variant() const { return variant_; }
  Instrument instrument() const { return instrument_; }
  const Metrics& metrics() const { return metrics_; }
  const device::GpuOverhead& overhead() const { return overhead_; }

 private:
  device::GpuCall calls_on(Sets sets);
  std::optional<std::uint64_t> captured(std::optional<int> count) const;

  device::Gpu& gpu_;
  const Variant& variant_;
  Params params_;  ///< the sizes, and the variant's tunables
  device::PinnedTeam& team_;
  Instrument instrument_;
  std::shared_ptr<void> plan_;
  device::GpuOverhead overhead_;
  std::size_t calibrated_calls_ = 0;  ///< that it is the overhead of
  device::GpuCall launch_graph_;  ///< of the sets it was calibrated with; empty: calls are made one by one
  Metrics metrics_;
};

/// While it lives, tensors on the host are in the memory that a variant declares; then again in what they
/// were in. The harness itself needs them pinned.
class HostTensors {
 public:
  HostTensors(GpuVariant::Sets sets, bool pinned);
  ~HostTensors();
  HostTensors(const HostTensors&) = delete;
  HostTensors& operator=(const HostTensors&) = delete;

 private:
  GpuVariant::Sets sets_;
  bool before_;
};

}  // namespace aisp::harness
