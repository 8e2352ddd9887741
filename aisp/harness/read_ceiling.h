// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a cell's own input tensors, and does nothing else, as fast as this machine can: the ceiling of work
/// that is bound by reading, measured in the same rounds as the work. `aisp peak` says what the machine reads
/// at its best; on a machine shared with others that may have been another minute.
///
///   ReadCeiling ceiling(team);
///   ceiling.choose(sets);              // the fastest of the read probes, over these tensors
///   double ns = ceiling.run(sets);     // one pass over the inputs of every set
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aisp/device/cpu/bandwidth_probes.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

class ReadCeiling {
 public:
  using Sets = std::span<const std::unique_ptr<TensorSet>>;

  explicit ReadCeiling(device::PinnedTeam& team) : team_(team) {}

  /// Tries every probe a few times, in turn, and keeps the one with the least median.
  void choose(Sets sets);
  /// Nanoseconds of one pass over the inputs of all sets, shared between the team's threads.
  double run(Sets sets) { return run(sets, chosen_); }
  std::string name() const;
  double typical_ns() const { return typical_ns_; }  ///< of run(), while choosing
  /// That run() reads of a set: whole blocks of the probes only.
  static double bytes_of(const TensorSet& set);

 private:
  double run(Sets sets, const device::BandwidthProbe& probe);

  device::PinnedTeam& team_;
  device::BandwidthProbe chosen_{};
  double typical_ns_ = 0;
};

}  // namespace aisp::harness
