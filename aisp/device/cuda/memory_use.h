// SPDX-License-Identifier: Apache-2.0
/// \file
/// Device memory that a call takes: at its peak, still held afterwards, and kept back by the runtime's pool.
///
///   MemoryWatch watch;
///   call();                                    // and wait for the device
///   MemoryUse used = watch.since();
///   used.peak_recorded_bytes = device::memory_of(recorder.stop()).peak;
///
/// Three views, since each is blind to something: the device's free memory knows every process and no peak;
/// the pool knows its peak and nothing else; records know every allocation, while they are made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

struct MemoryUse {
  std::int64_t taken_bytes = 0;                ///< less of the device is free than before, whoever took it
  std::uint64_t pool_used_bytes = 0;           ///< allocated from the default pool, now
  std::uint64_t pool_peak_used_bytes = 0;      ///< at most, since
  std::uint64_t pool_reserved_bytes = 0;       ///< what the pool holds, now; it gives back late
  std::uint64_t pool_peak_reserved_bytes = 0;  ///< at most, since, beyond what it held then
  std::optional<std::uint64_t> peak_recorded_bytes;  ///< beyond what there was before
};

class MemoryWatch {
 public:
  /// For the current device. Has the pool give back what is not in use, which others left there, and starts
  /// its peaks anew: whoever else watches the pool loses them. Pools that a call makes for itself are not
  /// seen.
  MemoryWatch();
  MemoryUse since() const;

 private:
  int device_ = 0;
  std::uint64_t free_bytes_ = 0;
  std::uint64_t reserved_bytes_ = 0;
};

}  // namespace aisp::cuda
