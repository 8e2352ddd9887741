// SPDX-License-Identifier: Apache-2.0
/// \file
/// One cell's section of the HTML report, and the pieces it shares with the summary above it.
///
///   page += html_cell(cell, index, run.manifest.config.equivalence);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/report/row.h"

namespace aisp::report {

/// Heading, reasons, ladder, drawings, findings, attempts, evidence. Its anchor is "cell-<index>". `run`
/// says, as HTML, of which run it is where the page has several.
std::string html_cell(const CellResult& cell, std::size_t index, double equivalence,
                      const std::string& run = "");

/// Guards' findings, the ones that reject first, and the facts they were judged from.
std::string html_findings(const CellResult& cell);
std::string html_attempts(const CellResult& cell);
std::string html_evidence(const CellResult& cell);

/// A verdict as a badge: word, sign and colour say the same.
std::string html_badge(const Judgement& verdict);
/// The reasons as a list; empty without any.
std::string html_reasons(const std::vector<Reason>& reasons);
/// A table cell whose label is shown beside it on narrow screens.
std::string html_td(const char* label, const std::string& inner, const char* css = "");

}  // namespace aisp::report
