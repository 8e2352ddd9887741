// SPDX-License-Identifier: Apache-2.0
/// \file
/// A history for people, for a pull request and for a CI system: the table `aisp history` prints, the same as
/// Markdown, and as JUnit with one test case for each series, of which those with a confirmed regression
/// fail.
#pragma once

#include <span>
#include <string>

#include "aisp/core/history.h"

namespace aisp::report {

/// Rows that say why they are there; the summary comes last.
std::string render_history(std::span<const ExaminedSeries> examined, bool all, bool color);
std::string render_history_markdown(std::span<const ExaminedSeries> examined, const std::string& hardware);
std::string render_history_junit(std::span<const ExaminedSeries> examined, const std::string& hardware);
/// A picture of every series in which something changed (`all`: of every one), below one another.
std::string render_history_svg(std::span<const ExaminedSeries> examined, bool all);

}  // namespace aisp::report
