// SPDX-License-Identifier: Apache-2.0
/// \file
/// A gate in front of what is timed: a kernel that fills every multiprocessor and holds it until the host
/// says go. What is queued behind it starts without waiting for the host, so no launch latency is measured;
/// and nothing that is queued on another stream meanwhile finds a place to run before the gate opens.
///
///   Gate gate;
///   if (!gate.close(stream, 100ms)) ...;   // something else occupies the device
///   record(start); variant(stream); record(stop);
///   gate.open();
///
/// It opens by itself when its patience ends: a variant that waits for the device inside its call would
/// otherwise wait for ever. `expired()` tells; such a variant declares host_sync.
#pragma once

#include <chrono>
#include <cstdint>

#include "aisp/device/cuda/memory.h"

namespace aisp::cuda {

class Gate {
 public:
  /// For the current device.
  Gate();

  /// Queues the gate and waits until it holds every multiprocessor. False when that took longer than the
  /// patience; the gate is open again then.
  bool close(cudaStream_t stream, std::chrono::nanoseconds patience);
  void open();
  /// Whether the latest gate opened by itself. Known once its stream has been synchronised.
  bool expired() const;

  /// Written by both sides across the bus.
  struct Words {
    std::uint32_t opened = 0;   ///< by the host: the number of the gate that may open
    std::uint32_t held = 0;     ///< by the device: the number of the gate that holds every multiprocessor
    std::uint32_t expired = 0;  ///< by the device: the number of the latest gate that opened by itself
  };

 private:
  MappedMemory<Words> words_;
  DeviceMemory<std::uint32_t> arrived_;   ///< blocks of all gates so far
  DeviceMemory<std::uint32_t> released_;  ///< number of the latest gate whose blocks may leave
  std::uint32_t number_ = 0;
  unsigned blocks_ = 0;
  unsigned threads_ = 0;
};

}  // namespace aisp::cuda
