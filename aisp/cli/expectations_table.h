// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `aisp expectations` prints: lines below the workload they are of, and what they come to.
///
///   std::string text = expectations_table(lines, hardware, {.min_speedup = 1.05, .width = 100});
#pragma once

#include <string>
#include <vector>

#include "aisp/cli/expected_lines.h"

namespace aisp::cli {

struct ExpectationCounts {
  int committed = 0;     ///< rows that somebody committed
  int worse = 0;         ///< than committed
  int below = 0;         ///< best variants below the least speed-up asked for
  int unproven = 0;      ///< not valid when committed, unproven now, or without an interval then or now
  int not_run = 0;       ///< without a result of one's own
  int not_measured = 0;  ///< sizes that nobody has committed
};
ExpectationCounts count(const std::vector<ExpectedLine>& lines);

struct ExpectationsLayout {
  double min_speedup = 0;
  int width = 120;  ///< columns; what does not fit goes: first the dates, then sizes into the headings
  bool color = false;
};

/// Lines of one workload must lie together. What nobody committed is counted and has no row.
std::string expectations_table(const std::vector<ExpectedLine>& lines, const std::string& hardware,
                               const ExpectationsLayout& layout);

}  // namespace aisp::cli
