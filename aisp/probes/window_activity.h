// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a device did in and around one timed window, from its activity records: all streams, all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "aisp/device/gpu/activity.h"

namespace aisp::probes {

/// One recording: from before the harness prepared a window until some time after the device was idle.
struct RecordedWindow {
  std::span<const device::Activity> records;
  std::uint64_t stream = 0;  ///< the timed one
  std::uint32_t device = 0;  ///< the measured one
  double called_ns = 0;      ///< the gate was closed after this
  double device_ns = 0;      ///< as the events read it, from the opening of the gate
  /// Of a call that waits for the device: there is no gate, and all until it returned is the call's.
  std::optional<double> returned_ns = {};
  std::uint32_t thread = 0;   ///< that made the call, as the system numbers threads
  double stopped_ns = 0;      ///< when the recording ended
  std::uint64_t trusted = 0;  ///< pieces of work the harness itself has done before the gate
  double trusted_ns = 0;      ///< and how long they took
};

struct WindowActivity {
  double outside_ns = 0;            ///< kernels, copies and sets that ran before the window or after it
  std::uint64_t other_streams = 0;  ///< pieces of work on streams other than the timed one
  std::uint64_t host_functions = 0;
  std::uint64_t compilations = 0;
  std::uint64_t allocations = 0;
  std::uint64_t faults = 0;         ///< of unified memory
  std::uint64_t other_devices = 0;  ///< pieces of work on them, before the window too
  std::uint64_t cooperative = 0;    ///< kernels launched so by the host
  /// Work that the device launched, and kernels that can launch some of which there is no record.
  std::uint64_t device_launches = 0;
  std::uint64_t kernels = 0;   ///< in the window, of graphs too; the gate and what the device launched apart
  std::uint64_t pieces = 0;    ///< kernels, copies and sets in the window, whoever launched them
  std::uint64_t not_over = 0;  ///< work still running when the recording ended
  /// Of a call that waits for the device: the share in which no work ran and its thread was not in the
  /// driver.
  std::optional<double> host_alone_share;
};

/// Work before the gate, when nothing but the harness should work.
struct Preparation {
  std::uint64_t pieces = 0;
  double ns = 0;
};
Preparation preparation_of(std::span<const device::Activity> records);

WindowActivity activity_of(const RecordedWindow& window);

}  // namespace aisp::probes
