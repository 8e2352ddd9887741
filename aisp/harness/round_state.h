// SPDX-License-Identifier: Apache-2.0
/// \file
/// The declared rules by which a whole round is discarded. They look at the state of the machine, never at a
/// measured value: dropping slow samples would hide what a user will meet.
///
/// Rules: the process was stopped (SIGSTOP), the machine was suspended, a CPU quota throttled the process
/// (its own cgroup's or one above), pages were swapped in, the set of allowed cores changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sched.h>

namespace aisp::harness {

/// The sum of counters over files of "key value" lines that the kernel writes afresh for every reader. The
/// files stay open: they are read twice in every round, and opening and parsing one as a stream costs several
/// times what the kernel needs. Files that cannot be opened are left out.
class KernelCounter {
 public:
  KernelCounter(const std::vector<std::string>& files, const std::vector<std::string>& keys);
  ~KernelCounter();
  KernelCounter(const KernelCounter&) = delete;
  KernelCounter& operator=(const KernelCounter&) = delete;
  /// Nothing where no file shows a counter.
  std::optional<std::uint64_t> read() const;

 private:
  std::vector<int> open_;
  std::vector<std::string> keys_;
};

struct MachineState {
  int continued = 0;        ///< SIGCONT that another process sent to this one
  double suspended_ns = 0;  ///< boot time minus monotonic time
  std::optional<std::uint64_t> throttled;
  std::optional<std::uint64_t> swapped;  ///< pages, in and out
  cpu_set_t cores{};                     ///< allowed to this thread

  static MachineState now();
};

/// Why a round between these two states must be discarded, all reasons; empty = keep it.
std::string discard_reason(const MachineState& before, const MachineState& after);

class RoundState {
 public:
  void begin() { before_ = MachineState::now(); }
  std::string end() const { return discard_reason(before_, MachineState::now()); }

 private:
  MachineState before_;
};

/// Installs the handler that counts SIGCONT, but for what the process sends to itself; called once by the
/// worker.
void watch_for_stops();

}  // namespace aisp::harness
