// SPDX-License-Identifier: Apache-2.0
/// \file
/// `aisp explain GUARD --demo`: measures an attack that the guard must see, and shows it caught. An attack is
/// any workload with the tag "attack:<guard>", in this program or in a plugin; its run is not stored.
#pragma once

#include "aisp/cli/command.h"
#include "aisp/core/guard.h"

namespace aisp::cli {

/// Prints what became of the attack. 0 when the guard rejected a variant, 1 when it let all of them pass, 4
/// when there is no attack on it here.
int demonstrate(const Arguments& arguments, const Guard& guard);

}  // namespace aisp::cli
