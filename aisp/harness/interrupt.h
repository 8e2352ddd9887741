// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ctrl-C and friends: the first signal asks the coordinator to stop after storing what is finished, the
/// second ends the process at once.
#pragma once

namespace aisp::harness {

/// Catches SIGINT, SIGTERM and SIGHUP from now on.
void install_interrupt_handlers();

/// The signal that asked to stop, or 0.
int interrupted();

}  // namespace aisp::harness
