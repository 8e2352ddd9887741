// SPDX-License-Identifier: Apache-2.0
/// \file
/// How much memory a variant took: peak, still held, and reserved, as growth of the process since before().
///
///   MemoryProbe probe;          // in an attempt of its own, harness buffers already allocated and touched
///   probe.before();
///   auto plan = variant.prepare(shapes);  plan.run(views);
///   const MemoryFigures figures = probe.after();
///
/// Resident memory counts, so memory that is reserved and never touched shows in `reserved` alone. The kernel
/// batches its counters per processor: figures are exact to about a quarter of a mebibyte. The peak needs a
/// kernel that can reset it (/proc/self/clear_refs); without it the peak stays unknown. savings_percent is
/// not set here.
#pragma once

#include <cstdint>
#include <optional>

#include "aisp/core/record.h"

namespace aisp::probes {

class MemoryProbe {
 public:
  /// Gives unused heap back to the kernel first: memory freed earlier must not hide what the variant takes.
  void before();
  MemoryFigures after() const;

 private:
  bool peak_reset_ = false;
  std::optional<double> resident_;
  std::optional<double> mapped_;
};

/// Figures of the process now, in bytes.
struct ProcessMemory {
  std::optional<double> resident, peak, mapped;
  static ProcessMemory read();
};

}  // namespace aisp::probes
