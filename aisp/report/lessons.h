// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run says of each workload, as pages that a chapter's README links: the ladder at every size with
/// intervals, what the device counted for each rung, and a picture of where the idea stops paying.
///
///   for (const LessonPage& page : render_lessons(run)) write(folder / page.file, page.text);
///
/// Markdown, and beside it an SVG for each workload that was measured at three sizes or more.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::report {

struct LessonPage {
  std::string file;  ///< "ch07-transpose.md", "ch07-transpose.svg"
  std::string text;
};

/// In the order of the run's workloads.
std::vector<LessonPage> render_lessons(const RunRecord& run);

/// Times better than the baseline against the parameter that was swept, a line for each rung; empty with
/// fewer than three sizes that can be compared. All cells are of one workload on one device.
std::string plot_sweep(const std::vector<const CellResult*>& cells);

}  // namespace aisp::report
