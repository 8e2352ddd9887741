// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak.h"

#include <utility>

#include "aisp/device/cuda/peak_bench.h"
#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

struct Section {
  const char* what;
  void (*measure)(PeakBench&);
  double share;  ///< of the whole time, about
};

// Latencies before the matrices: those heat the device up, and it clocks down.
constexpr Section kSections[] = {
    {"latency", measure_latency, 0.02},
    {"launches", measure_launches, 0.02},
    {"bandwidth of device memory", measure_memory_bandwidth, 0.20},
    {"bandwidth of the L2 cache", measure_cache_bandwidth, 0.30},
    {"bandwidth of shared memory", measure_shared_bandwidth, 0.01},
    {"arithmetic", measure_arithmetic, 0.01},
    {"matrix arithmetic", measure_matrix_arithmetic, 0.24},
    {"transfers", measure_transfers, 0.20},
    {"copies to other devices", measure_peer_copies, 0.0},
};

/// Measures on one device and leaves the thread on the one it was on.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    check(cudaGetDevice(&before_), "asking for the current device");
    check(cudaSetDevice(device), "choosing the device to measure");
  }
  ~CurrentDevice() { static_cast<void>(cudaSetDevice(before_)); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

/// A level nearer to the cores can do whatever one farther away was seen to do. Where noise made a
/// measurement say otherwise, the lower value is raised and the probe says from where.
void make_consistent(Ceilings& ceilings) {
  for (const auto& [near, far] :
       {std::pair("memory+L2", "memory"), {"L2+memory", "memory+L2"}, {"L2", "L2+memory"}}) {
    for (Ceiling& nearer : ceilings.entries) {
      if (nearer.unit != "B/s" || nearer.level != near) continue;
      const Ceiling* farther = ceilings.find(nearer.name, far, nearer.threads);
      if (farther == nullptr || farther->value <= nearer.value) continue;
      nearer.value = farther->value;
      nearer.probe = farther->level + ": " + farther->probe;
    }
  }
}

}  // namespace

Ceilings measure_gpu_ceilings(const GpuPeakOptions& options, const GpuPeakProgress& progress) {
  const CurrentDevice device(options.device);
  if (progress) progress(0, "warming up");
  PeakBench bench(options);
  double done = 0;
  for (const Section& section : kSections) {
    if (progress) progress(done, section.what);
    section.measure(bench);
    done += section.share;
  }
  if (progress) progress(1, "done");
  Ceilings ceilings{.hardware = bench.facts().name,
                    .date = "",
                    .entries = std::move(bench.entries),
                    .notes = std::move(bench.notes)};
  make_consistent(ceilings);
  return ceilings;
}

}  // namespace aisp::cuda
