// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loops that do nothing but move data, one for each way a processor may do it fastest.
///
///   for (const BandwidthProbe& probe : bandwidth_probes(Traffic::copy))
///     probe.run({a, b, nullptr, bytes}, passes);
///
/// Written in assembly where it matters: a compiler may neither drop a load whose value nobody uses nor
/// spill, and the result does not depend on build flags. Not a measurement: peak.cpp times them.
#pragma once

#include <cstddef>
#include <vector>

namespace aisp::device {

enum class Traffic { read, write, copy, triad };

const char* name_of(Traffic traffic);
/// Arrays a kind of traffic touches; each of its bytes counts once.
int arrays_of(Traffic traffic);

/// Equally long arrays, 64-byte aligned, a multiple of kProbeBlock bytes. `a` is written, or read by
/// Traffic::read.
struct ProbeArrays {
  std::byte* a = nullptr;
  const std::byte* b = nullptr;
  const std::byte* c = nullptr;
  std::size_t bytes = 0;
};
inline constexpr std::size_t kProbeBlock = 4096;

struct BandwidthProbe {
  const char* name;
  bool from_memory;  ///< worth trying where a pass is long; the other variants differ in cache only
  void (*run)(const ProbeArrays& arrays, std::size_t passes);
};

/// Those this processor can execute, the likely best first.
std::vector<BandwidthProbe> bandwidth_probes(Traffic traffic);

}  // namespace aisp::device
