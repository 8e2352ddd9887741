// SPDX-License-Identifier: Apache-2.0
/// \file
/// What this machine can do at most, as measured by `aisp peak`: the maximum over several probes, raised by
/// any valid workload that went faster.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/problem.h"

namespace aisp {

struct Ceiling {
  std::string name;   ///< "read", "write", "copy", "triad", "fma", "latency"
  std::string level;  ///< "L1", "L2", "L3", "memory"; the element type for "fma"
  int threads = 1;
  double value = 0;
  std::string unit;              ///< "B/s", "FLOP/s", "ns"
  std::string probe;             ///< which probe, or which workload, gave the maximum
  double working_set_bytes = 0;  ///< bandwidths and latencies: at most this much data; 0 = any
  AISP_FIELDS(name, level, threads, value, unit, probe, working_set_bytes)
};

struct Ceilings {
  std::string hardware;  ///< key of the machine they were measured on
  std::string date;
  std::vector<Ceiling> entries;
  /// What could not be measured, or was measured beside other work, and why: "peer_copy: ...".
  std::vector<std::string> notes = {};
  AISP_FIELDS(hardware, date, entries, notes)

  /// The entry, or nothing. `level` as in Ceiling.
  const Ceiling* find(const std::string& name, const std::string& level, int threads) const;
  /// The entry that floor_of() names as its bound.
  const Ceiling* find_bound(const std::string& bound) const;
};

/// The least time the work can take, and which ceiling says so; nothing when no ceiling applies.
///
/// Traffic is priced at the bandwidth of its kind (any: the fastest of all kinds) at the smallest level that
/// holds the working set. For a number of threads that was not measured, the next larger one that was: a
/// looser bound, but a true one.
struct Floor {
  double ns = 0;
  std::string bound;
};
std::optional<Floor> floor_of(const Work& work, double working_set_bytes, int threads,
                              const Ceilings& ceilings);

/// Floor::bound as people are told it: without the threads where the device is no CPU. There they are the
/// probe's on the host, and say nothing of the device's.
std::string bound_on(std::string_view device, std::string bound);

/// A valid workload reached `rate`, in the unit of the ceiling that bounds it (`bound` as floor_of() names
/// it): where that is more than the ceiling says, the probes had missed what the machine can do. True when
/// the ceiling was raised.
bool raise(Ceilings& ceilings, const std::string& bound, double rate, const std::string& by);

}  // namespace aisp
