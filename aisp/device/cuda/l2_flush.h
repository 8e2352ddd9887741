// SPDX-License-Identifier: Apache-2.0
/// \file
/// Empties the device's last-level cache of everything that is timed next, and leaves it clean: the usual
/// way, a memset, leaves it full of dirty lines, and the timed kernel pays for writing them back.
///
///   L2Flush flush;
///   flush.run(stream);
#pragma once

#include <cstddef>
#include <cstdint>

#include "aisp/device/cuda/memory.h"

namespace aisp::cuda {

class L2Flush {
 public:
  /// For the current device. Takes four times its last-level cache of device memory.
  L2Flush();

  /// Takes back what persists, then queues the flush.
  void run(cudaStream_t stream);
  static constexpr int kLaunches = 2;  ///< a memset and a kernel

  /// A write, which turns out what was there, then a read of four times the cache, which turns out what was
  /// written. Not what persists: run() does that.
  void turn_out(cudaStream_t stream);

  /// As other harnesses do it: a memset of `caches` cache sizes. For comparison only.
  void run_dirty(cudaStream_t stream, double caches);

  /// Whether somebody has asked for lines that persist: a part of the cache for them, or a window of this
  /// stream.
  static bool persists(cudaStream_t stream);
  /// No such part, no such window, no such line.
  static void take_back(cudaStream_t stream);

  std::size_t cache_bytes() const { return cache_bytes_; }

 private:
  std::size_t cache_bytes_ = 0;
  DeviceMemory<std::uint32_t> lines_;
  DeviceMemory<std::uint32_t> sum_;  ///< what reading added up to, so that it cannot be left out
};

}  // namespace aisp::cuda
