// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs that are reported together: a suite that was measured in several runs, on several hosts say. They
/// stay runs of their own, each with its policy, its calibration and its end; only the page is one.
///
///   const std::vector<ReportedRun> runs{{.run = first, .exit_code = 0}, {.run = second, .exit_code = 1}};
///   write_file("report.html", render_html(runs));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::report {

struct ReportedRun {
  RunRecord run;
  std::optional<int> exit_code;  ///< unknown of a run that was killed or goes on
};

/// "exit code 1".
std::string exit_code_text(const std::optional<int>& code);
/// Of all of them; unknown while one is.
std::optional<int> worst_exit_code(std::span<const ReportedRun> runs);

/// Each once, in the order they come.
std::vector<std::string> machines_of(std::span<const ReportedRun> runs);

}  // namespace aisp::report
