// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ceilings of a device as one picture, an SVG file of its own: how many operations a second are possible
/// for work that does so many of them for each byte it moves. Slopes are bandwidths, level lines arithmetic
/// by type.
///
///   Result<std::string> picture = draw_roofline(ceilings);
#pragma once

#include <string>

#include "aisp/core/ceiling.h"
#include "aisp/core/result.h"

namespace aisp::report {

/// With all threads. An error where the ceilings have no bandwidth or no arithmetic: there is no roof then.
Result<std::string> draw_roofline(const Ceilings& ceilings);

}  // namespace aisp::report
