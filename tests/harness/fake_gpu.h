// SPDX-License-Identifier: Apache-2.0
/// \file
/// A GPU made of threads, for machines without one: every stream is a thread with a queue, memory is the
/// host's, and what goes wrong is asked for. Registered as "cuda", so that all of the harness above it runs
/// as it does on a device. Each interface of device/gpu has a file of its own: fake_stream and fake_timing,
/// fake_recorder, fake_counters, fake_sensors, fake_memory, fake_data.
#pragma once

#include <cstddef>
#include <optional>

#include "aisp/device/gpu/activity.h"
#include "fake_stream.h"

namespace aisp::harness {

/// What the next device that is opened does wrong.
struct FakeFaults {
  int fail_allocation = 0;  ///< the n-th, counted from 1; 0: none
  std::size_t memory_bytes = std::size_t{1} << 30;
  bool lost = false;               ///< every copy fails, as on a device that is gone
  bool missing = false;            ///< there is no device
  int other_processes = 0;         ///< on the device, at most 2, the second through a shared server
  bool unlisted = false;           ///< its list of processes is of others alone
  bool slower_clock = false;       ///< from the second window on
  double clock_runs = 1;           ///< the pace of its events, against the wall clock
  double watts = 0;                ///< that its energy counter shows, in steps of 20 ms; 0: it has none
  double watt_limit = 700;         ///< that it enforces; 0: it does not tell
  bool unreadable_code = false;    ///< nobody knows what its kernels can launch
  bool no_unified_memory = false;  ///< its records show nothing of it
  std::optional<device::Activity::Kind> refused = {};  ///< the same of any kind
};
FakeFaults& fake_faults();

/// Whether the device could use this address now: not if it is of host memory that is not pinned.
bool fake_sees(const void* data);

}  // namespace aisp::harness
