// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run with one cell of every kind a report has to show: a clear gain with anchors, an equivalent and an
/// inconclusive pair, a guard's rejection, a crash, a memory goal, a trace with items, and one that is
/// unproven.
///
///   const RunRecord run = example_run();
///
/// The figures are drawn from a seeded generator; nothing here was measured.
#pragma once

#include <string>

#include "aisp/core/record.h"

namespace aisp::report {

RunRecord example_run();

/// example_run() with names, notes and messages that try to break out of every format.
RunRecord hostile_run();

/// The hostile texts themselves.
inline const std::string kHostileName = "<script>alert('x')</script>\"&\x1b[2J\xe2\x80\xae,|`\xff";
inline const std::string kHostileText =
    "]]></style></svg><img src=x onerror=alert(1)>\n\r\x07\x9b"
    "31m=cmd|' /C'!A0";

}  // namespace aisp::report
