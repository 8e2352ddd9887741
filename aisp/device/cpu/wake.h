// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brings the cores of a team to the state in which they run their widest instructions at full speed.
#pragma once

#include "aisp/device/cpu/pinned_team.h"

namespace aisp::device {

/// The first 512-bit instructions after a pause run at a fraction of their speed for some 60 us (measured on
/// an Ice Lake Xeon). Every thread of the team multiplies and adds in its widest registers for longer than
/// that. The harness does it, not the code that is about to be timed: nothing of that runs while its inputs
/// are there and the clock is not.
void wake_vector_units(PinnedTeam& team);

}  // namespace aisp::device
