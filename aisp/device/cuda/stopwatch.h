// SPDX-License-Identifier: Apache-2.0
/// \file
/// Times what a call makes the device do, to a few tenths of a microsecond: the call is queued behind a gate
/// between two events, and the reading of an empty kernel of the same geometry is subtracted.
///
///   Stopwatch watch;
///   const double start_ns = watch.cost_of({.grid = 132, .block = 256});
///   Reading r = watch.time([&](cudaStream_t s) { kernel<<<132, 256, 0, s>>>(...); });
///   double ns = r.device_ns - start_ns;
///
/// This is the isolated latency of work on the device, without the host's part. docs/design/gpu_instrument.md
/// says how far it can be believed.
#pragma once

#include <chrono>
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
  /// A kernel of this geometry that does nothing.
  static void launch_empty(const LaunchShape& shape, cudaStream_t stream);
  Reading time_empty(const LaunchShape& shape);

  /// The median reading of an empty kernel of this geometry, each after `before`: what is taken off a reading
  /// has to be read as that one is.
  double cost_of(const LaunchShape& shape, const std::function<void()>& before = [] {});

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
  Handles handles_;
};

}  // namespace aisp::cuda
