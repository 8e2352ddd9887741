// SPDX-License-Identifier: Apache-2.0
/// \file
/// A GPU made of threads, for machines without one: every stream is a thread with a queue, memory is the
/// host's, and what goes wrong is asked for. Registered as "cuda", so that all of the harness above it runs
/// as it does on a device. Each interface of device/gpu has a file of its own: fake_stream and fake_timing,
/// fake_recorder, fake_counters, fake_sensors, fake_memory, fake_data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "aisp/device/gpu/activity.h"
#include "aisp/device/gpu/gpu_error.h"
#include "fake_stream.h"

namespace aisp::harness {

/// What the device does wrong from now on. A workload whose problem sets it has it in all of its workers.
struct FakeFaults {
  int fail_allocation = 0;  ///< the n-th, counted from 1; 0: none
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t cache_bytes = std::size_t{1} << 16;  ///< of its last level
  bool lost = false;                               ///< every call fails, as on a device that is gone
  bool missing = false;                            ///< there is no device
  int other_processes = 0;            ///< on the device, at most 2, the second through a shared server
  int others_leave_after = 0;         ///< so many full readings; 0: they stay
  bool unlisted = false;              ///< its list of processes is of others alone
  double sm_mhz = 1800;               ///< its clock
  double memory_mhz = 2600;           ///< its memory's
  double celsius = 45;                ///< how hot it is
  double watts_now = 250;             ///< that it draws, as a momentary reading
  std::optional<bool> ecc = true;     ///< its memory corrects errors; nothing: it does not tell
  std::uint64_t ecc_corrected = 0;    ///< errors so far
  std::uint64_t ecc_uncorrected = 0;  ///< the same of those that it could not correct
  std::string throttling = {};        ///< what holds its clock back
  double clock_runs = 1;              ///< the pace of its events, against the wall clock
  double watts = 0;                   ///< that its energy counter shows, in steps of 20 ms; 0: it has none
  double watt_limit = 700;            ///< that it enforces; 0: it does not tell
  std::string no_sensors = {};        ///< why there are none: a driver without NVML, say
  std::string no_records = {};        ///< why nothing is recorded
  std::uint64_t lost_records = 0;     ///< in every recording
  std::uint64_t unrecorded_launches = 0;               ///< the same: kernels of which no record speaks
  bool unreadable_code = false;                        ///< nobody knows what its kernels can launch
  bool no_unified_memory = false;                      ///< its records show nothing of it
  std::optional<device::Activity::Kind> refused = {};  ///< the same of any kind
  bool counts = false;                                 ///< has counters
  bool counts_little = false;                          ///< but no more of them than guards ask for
  bool counting_fails = false;                         ///< they open, and then the device refuses
  bool keeps_cache = false;                            ///< a flush leaves the cache as it was
  std::function<void()> at_flush = {};                 ///< what a thread beside the harness does just then
};
FakeFaults& fake_faults();

/// A kernel faults, or the device falls off its bus: nothing works in this process any more.
void fake_break(device::GpuFault fault, const std::string& what);
/// Throws what every call says from then on, and what a lost device says.
void must_work();

/// Whether what runs now is recorded, or would be: what code on a GPU learns by looking for the recorder's
/// library.
bool fake_watched();

/// As a call asks for cache that survives a flush.
void fake_keep_cache();

/// Whether the device could use this address now: not if it is of host memory that is not pinned.
bool fake_sees(const void* data);

}  // namespace aisp::harness
