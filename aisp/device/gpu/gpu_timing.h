// SPDX-License-Identifier: Apache-2.0
/// \file
/// Times what a call makes a GPU do. docs/design/gpu_instrument.md says how, and how far it can be believed.
///
///   const double start_ns = timing.overhead(call).ns;
///   const GpuReading r = timing.time(call);
///   double ns = r.device_ns - start_ns;
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "aisp/core/result.h"

namespace aisp::device {

/// Queues work on the stream it gets, and on others that it joins to it.
using GpuCall = std::function<void(void* stream)>;

struct GpuReading {
  double device_ns = 0;   ///< between the events around the call
  double host_ns = 0;     ///< the call itself, on the host: what it took to queue its work
  double wall_ns = 0;     ///< from when the device was free to begin until the last event was seen
  double late_ns = 0;     ///< from then until the whole device was idle
  bool held = false;      ///< nothing could begin while the call was queued
  bool expired = false;   ///< the device began by itself: the call waits for it
  bool persists = false;  ///< the call asked for lines of the cache that survive a flush
};

/// What belongs to the instrument and not to the call.
struct GpuOverhead {
  double ns = 0;         ///< what a call that launches the same and does nothing reads
  double launch_ns = 0;  ///< what queueing those launches takes on the host
  int launches = 0;      ///< kernels, one by one
  bool guessed = false;  ///< the call cannot be looked into: as if it launched one kernel of one block
  /// All that the device is made to do, graphs that are launched looked into: kernels, and these together
  /// with copies and sets. Unknown where the call cannot be looked into, or a graph of it decides while it
  /// runs.
  std::optional<int> kernels{}, pieces{};
};

/// A call's work as one graph.
struct GpuGraph {
  GpuCall launch;        ///< queues all of it
  GpuOverhead overhead;  ///< of a graph that launches the same and does nothing
};

class GpuTiming {
 public:
  virtual ~GpuTiming() = default;

  /// Whether flush_cache() goes before each reading from now on: what does nothing reads longer after one,
  /// and so overhead() takes its readings behind it, too.
  virtual void expect_flushes(bool /*each*/) {}
  /// Runs the call's host code without running its work.
  virtual GpuOverhead overhead(const GpuCall& call) = 0;
  /// Runs the call's host code once, and none of its work. Needed where a call launches more than fits into
  /// the queue behind the gate; or to see what is left when launching costs nothing.
  virtual Result<GpuGraph> as_graph(const GpuCall& call) = 0;
  /// Isolated: everything is queued before the device begins.
  GpuReading time(const GpuCall& call) { return time(call, {}); }
  /// `meanwhile`, where there is one, is done on the host when the device has begun.
  virtual GpuReading time(const GpuCall& call, const std::function<void()>& meanwhile) = 0;
  /// As a caller sees it: from the call until the whole device is idle, by the host's clock (`wall_ns`). For
  /// calls that wait for the device themselves.
  virtual GpuReading time_call(const GpuCall& call) = 0;
  /// Runs it, and waits for the whole device.
  virtual void run(const GpuCall& call) = 0;

  /// The stream that calls get.
  virtual void* stream() const = 0;
  /// Leaves the last-level cache clean and without anything that is timed next.
  virtual void flush_cache() = 0;
  /// To be called right before a reading, behind everything that prepares it: what ran before must not show
  /// in how soon the end of the next is seen.
  virtual void settle() {}
  virtual std::size_t cache_bytes() const = 0;
  /// The smallest step of device_ns.
  virtual double resolution_ns() const = 0;
};

}  // namespace aisp::device
