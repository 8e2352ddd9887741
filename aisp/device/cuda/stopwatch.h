// SPDX-License-Identifier: Apache-2.0
/// \file
/// Times what a call makes the device do, to a few tenths of a microsecond: the call is queued behind a gate
/// between two events, and what kernels of the same geometry read that do next to nothing is subtracted.
///
///   Stopwatch watch;
///   const double start_ns = watch.cost_of({.grid = 132, .block = 256});
///   watch.settle();
///   Reading r = watch.time([&](cudaStream_t s) { kernel<<<132, 256, 0, s>>>(...); });
///   double ns = r.device_ns - start_ns;
///
/// This is the isolated latency of work on the device, without the host's part. docs/design/gpu_instrument.md
/// says how far it can be believed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "aisp/device/cuda/gate.h"
#include "aisp/device/cuda/launch_shape.h"
#include "aisp/device/gpu/gpu_timing.h"

namespace aisp::cuda {

using DeviceCall = std::function<void(cudaStream_t)>;

using Reading = device::GpuReading;

class Stopwatch {
 public:
  Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// The stream on which calls are timed; what is queued on it before a reading happens before the gate.
  cudaStream_t stream() const { return handles_.stream; }

  /// `meanwhile`, where there is one, is done on the host when the gate is open.
  Reading time(const DeviceCall& call, const std::function<void()>& meanwhile = {});
  /// To be called right before a reading, behind everything that prepares it, which put `prepared` launches
  /// on the stream: launches of nothing, so that 16 lie between one reading and the next. The end of a kernel
  /// is seen in steps of 160 to 220 ns, and which step depends on its place among launches, mod 16. Readings
  /// of calls of one kernel spread over 0.25 us at most with this, and over 0.4 without.
  void settle(int prepared = 0);

  /// Kernels of a given geometry that do next to nothing. The end of a real one lies between: it has
  /// written, and some of that was over long before.
  enum class Empty { nothing, a_word };
  /// Once for a geometry, and not while something is timed.
  static void allow_empty(const LaunchShape& shape);
  void launch_empty(const LaunchShape& shape, Empty kind, cudaStream_t stream) const;
  Reading time_empty(const LaunchShape& shape, Empty kind);

  /// What is taken off a reading: the mean of the medians of both kinds, each read after `before`, which
  /// launches `prepared` times, and a settle(), as that one has to be.
  double cost_of(const LaunchShape& shape, int prepared = 0, const std::function<void()>& before = [] {});

  std::chrono::nanoseconds patience = std::chrono::milliseconds(200);

 private:
  /// Its own destructor, so that what was made is given back where the next one cannot be made.
  struct Handles {
    Handles() = default;
    ~Handles();
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, stop = nullptr;
  };
  Gate gate_;
  DeviceMemory<std::uint32_t> words_;  ///< written by Empty::a_word
  int launched_ = 0;                   ///< since the last settle(), a call counted as one kernel
  Handles handles_;
};

}  // namespace aisp::cuda
