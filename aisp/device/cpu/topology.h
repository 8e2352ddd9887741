// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the machine is made of: cores, caches, memory, processor model. Read through hwloc on first use (a
/// few milliseconds), so that commands that do not ask do not pay.
///
///   const Topology& machine = topology();
///   if (const Cache* l2 = machine.cache(2)) use(l2->bytes);
///   manifest.hardware = hardware_key();          // "Intel Xeon ... | 2 cores | 24 GiB"
///
/// Describes what the kernel shows: inside a virtual machine that may be less, or other, than the hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::device {

struct Cache {
  int level = 0;
  std::size_t bytes = 0;  ///< of one instance
  std::size_t line = 64;
  int instances = 0;
  int cores_sharing = 1;  ///< cores behind one instance
};

struct Topology {
  std::string model;  ///< of the processor; empty = not shown
  int packages = 0;
  int cores = 0;
  int pus = 0;  ///< hardware threads
  int numa_nodes = 0;
  std::uint64_t memory_bytes = 0;  ///< 0 = not shown
  std::vector<Cache> caches;       ///< data and unified ones, smallest level first
  std::vector<std::string> flags;  ///< of the first processor, as the kernel names them

  const Cache* cache(int level) const;  ///< nullptr = no such level is shown
  const Cache* last_level() const;      ///< nullptr = no cache is shown
};

/// Thread-safe; hwloc is loaded once.
const Topology& topology();

/// Size of one last-level cache; 32 MiB when none is shown (more than most caches, so that a flush still
/// flushes).
std::size_t last_level_cache_bytes();

/// Results are compared only within one key: processor model, cores and memory (rounded to 1 GiB below 64 GiB
/// and to 8 GiB above: kernels reserve slightly different amounts on the same machine).
std::string hardware_key();

/// For the manifest.
std::vector<Fact> topology_facts();

}  // namespace aisp::device
