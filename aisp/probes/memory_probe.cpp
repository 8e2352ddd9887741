// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/memory_probe.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "aisp/probes/kernel_files.h"

namespace aisp::probes {
namespace {

/// Writing 5 sets the peak back to what is resident now (Documentation/filesystems/proc.rst); needs no
/// privilege.
bool reset_peak() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, "5", 1) == 1;
  close(file);
  return done;
}

std::optional<double> kib_in(const char* file, const char* key) {
  const auto kib = counter_in(file, key);
  if (!kib) return std::nullopt;
  return static_cast<double>(*kib) * 1024;
}

std::optional<double> growth(const std::optional<double>& before, const std::optional<double>& after) {
  if (!before || !after) return std::nullopt;
  return std::max(0.0, *after - *before);
}

}  // namespace

ProcessMemory ProcessMemory::read() {
  ProcessMemory memory;
  // Walks the page tables: exact, where the counter of /proc/self/status lags behind on each processor.
  memory.resident = kib_in("/proc/self/smaps_rollup", "Rss");
  if (!memory.resident) memory.resident = kib_in("/proc/self/status", "VmRSS");
  memory.peak = kib_in("/proc/self/status", "VmHWM");
  memory.mapped = kib_in("/proc/self/status", "VmSize");
  return memory;
}

void MemoryProbe::before() {
  malloc_trim(0);
  peak_reset_ = reset_peak();
  const ProcessMemory now = ProcessMemory::read();
  resident_ = now.resident;
  mapped_ = now.mapped;
}

MemoryFigures MemoryProbe::after() const {
  const ProcessMemory now = ProcessMemory::read();
  MemoryFigures figures;
  figures.current_bytes = growth(resident_, now.resident);
  figures.reserved_bytes = growth(mapped_, now.mapped);
  if (peak_reset_) figures.peak_bytes = growth(resident_, now.peak);
  // The lagging counter may put the peak a little below what is resident; the peak is at least that.
  if (figures.peak_bytes && figures.current_bytes)
    figures.peak_bytes = std::max(*figures.peak_bytes, *figures.current_bytes);
  return figures;
}

}  // namespace aisp::probes
