// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the best of several probes of one ceiling, on one device.
///
///   PeakBench bench(options);
///   bench.settle({.name = "read", .level = "memory", .unit = "B/s"},
///                {{"16 bytes a load", bytes, bench.on_device([&](cudaStream_t s) {...})}, ...});
///
/// Knows nothing of what is measured; the sections (peak_sections.h) list the probes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/device/cuda/peak.h"
#include "aisp/device/cuda/stopwatch.h"

namespace aisp::cuda {

/// One thing to try.
struct Candidate {
  std::string probe;
  double amount = 0;                ///< bytes, operations, loads or launches of one measurement
  std::function<double()> time_ns;  ///< does them once and says how long it took
};

struct DeviceFacts {
  std::string name;
  int processors = 0;
  std::size_t l2_bytes = 0;
  std::size_t block_shared_bytes = 0;      ///< most shared memory of a block
  std::size_t processor_shared_bytes = 0;  ///< of a multiprocessor, for all its blocks
  std::size_t free_bytes = 0;
  int code = 0;        ///< what the code this device runs was compiled for: 900 for sm_90
  bool wgmma = false;  ///< that code may use the asynchronous matrix instructions of Hopper
};

class PeakBench {
 public:
  /// Of the current device. Keeps it busy until its clocks are up.
  explicit PeakBench(const GpuPeakOptions& options);

  const DeviceFacts& facts() const { return facts_; }
  Stopwatch& watch() { return watch_; }

  /// Times a call behind the gate; the first time after one call that is not timed.
  std::function<double()> on_device(DeviceCall call);

  /// Measures one ceiling: least time for the unit "ns", most a second for any other. Every candidate is
  /// tried a few times and the best ones again. Nothing is entered where there are no candidates.
  void settle(Ceiling entry, const std::vector<Candidate>& candidates);

  /// Notes what could not be measured, and why.
  void skip(const std::string& reason) { notes.push_back(reason); }

  std::vector<Ceiling> entries;
  std::vector<std::string> notes;

 private:
  void warm_up();

  const GpuPeakOptions& options_;
  DeviceFacts facts_;
  Stopwatch watch_;
  bool disturbed_ = false;  ///< the gate did not hold, since a ceiling was begun
};

}  // namespace aisp::cuda
