// SPDX-License-Identifier: Apache-2.0
/// \file
/// The declared rules by which a whole round is discarded. They look at the state of the machine, never at a
/// measured value: dropping slow samples would hide what a user will meet.
///
/// Rules: the process was stopped (SIGSTOP), the machine was suspended, the CPU quota throttled the process,
/// pages were swapped in, the set of allowed cores changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sched.h>

namespace aisp::harness {

struct MachineState {
  int continued = 0;        ///< SIGCONT seen by this process
  double suspended_ns = 0;  ///< boot time minus monotonic time
  std::optional<std::uint64_t> throttled;
  std::optional<std::uint64_t> swapped_in;
  cpu_set_t cores{};  ///< allowed to this thread

  static MachineState now();
};

/// Why a round between these two states must be discarded; empty = keep it.
std::string discard_reason(const MachineState& before, const MachineState& after);

class RoundState {
 public:
  void begin() { before_ = MachineState::now(); }
  std::string end() const { return discard_reason(before_, MachineState::now()); }

 private:
  MachineState before_;
};

/// Installs the handler that counts SIGCONT; called once by the worker.
void watch_for_stops();

}  // namespace aisp::harness
