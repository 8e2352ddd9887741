// SPDX-License-Identifier: Apache-2.0
/// \file
/// The terminal as it was, for a program that crashes: what to write to it is prepared while all is well,
/// because a signal's handler may call nothing of ncurses.
///
///   if (!knows_terminal()) ...        // there is no description of it
///   remember_terminal();              // before the screen is taken
///   arm_rescue();                     // after
///   disarm_rescue();                  // when the screen was given back
#pragma once

namespace aisp::tui {

/// Whether the terminal that TERM names is described on this machine.
bool knows_terminal();

void remember_terminal();
/// From now on a crash gives the terminal back, and then ends the program as it would have.
void arm_rescue();
void disarm_rescue();

}  // namespace aisp::tui
